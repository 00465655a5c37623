// Predicts how close a model with some layers in float is, from the error that each layer alone
// makes at the outputs.
//
// Errors are vectors. To first order the error of several layers in INT8 is the sum of theirs, so
// that two can hide or cancel one another, which their powers alone do not show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quantize/front.h"

namespace planex::quantize {

class LayerErrors {
 public:
  explicit LayerErrors(std::size_t layer_count) : layer_count_(layer_count) {}
  // Errors that have nothing to do with one another, from their powers.
  static LayerErrors of_powers(std::span<const double> noise);

  // For one output, or a part of it that is judged separately: the scalar products of the errors,
  // as a share of the signal's power. Shape: (layers + 1) x (layers + 1), row by row; the last row
  // and column are the error of what no layer in float removes.
  void add_output(std::vector<double> products);

  std::size_t layer_count() const { return layer_count_; }
  // The noise of the worst output: of a model that has this layer alone in INT8, and of one that
  // has `kept` in float.
  double alone(std::size_t layer) const;
  double noise(const LayerSet& kept) const;

  // All layers: the first is the one whose noise falls most for its cost when it is put back to
  // float, and so on, each after those before it. Layers that cost nothing go first. Cost:
  // O(layers^2 * outputs).
  std::vector<std::uint32_t> order(std::span<const double> costs) const;
  // The same from the other end: the last is the one whose noise grows least for what it costs when
  // it is put to INT8 first, and so on. Errors that cancel one another stay together.
  std::vector<std::uint32_t> order_back(std::span<const double> costs) const;
  // As if errors had nothing to do with one another.
  LayerErrors powers() const;

 private:
  struct Sums;
  std::vector<std::uint32_t> greedy_order(std::span<const double> costs, bool is_to_float) const;
  double product(std::size_t output, std::size_t row, std::size_t column) const {
    return outputs_[output][row * (layer_count_ + 1) + column];
  }

  std::size_t layer_count_ = 0;
  std::vector<std::vector<double>> outputs_;
};

}  // namespace planex::quantize
