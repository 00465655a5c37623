// Chooses which layers of a quantized model stay in float: the decisions of `planex search`.
// Nothing is measured here; docs/reference/search.md describes the method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "quantize/front.h"
#include "quantize/layer_errors.h"

namespace planex::quantize {

struct SearchLimits {
  std::optional<Goal> goal;
  std::size_t most_layers = std::numeric_limits<std::size_t>::max();
  double most_cost = std::numeric_limits<double>::infinity();
};

// Predicted errors put the layers in three orders (LayerErrors): by what they gain with errors that
// add up as vectors, the same from the other end, and by their powers, as predictions are of first
// order. What is measured is how many of the first of an order have to be in float. The first
// models are those that each order predicts to be enough. The numbers are doubled until an order
// reaches the goal; each order then halves the interval between the last that misses it and the
// first that reaches it, or costs more than what another order found. So a goal takes
// O(log(layers)) models.
//
// Once it is reached, the search goes back: of the models with one float layer less, those that
// are predicted to be closest are measured, and the closest that still reaches the goal is taken,
// until there is none, at most kMaxBack times.
class PrefixSearch {
 public:
  static constexpr std::size_t kMaxBack = 6;
  // How many models with one float layer less are measured together.
  static constexpr std::size_t kBackWidth = 4;
  // A set that removes less than this share of the noise does not count: it could be luck.
  static constexpr double kMinGain = 0.01;

  // `costs`: for each layer, not negative. `start`: of the model that has all in INT8.
  PrefixSearch(LayerErrors errors, std::vector<double> costs, const Score& start,
               const SearchLimits& limits);

  // Sets to measure next; empty: the search has ended, because it reached its goal or its limits,
  // or because nothing helps.
  std::vector<LayerSet> next();
  // The results for what next() returned, in its order. Returns which of them was taken, if any.
  std::optional<std::size_t> report(std::span<const Score> scores);
  // Continues toward another goal from the present state.
  void set_goal(const Goal& goal);

  const LayerSet& kept() const { return kept_; }
  const Score& score() const { return score_; }
  double cost_of(const LayerSet& layers) const;

 private:
  // The sets of 1, 2, ... layers of an order that fit the limits, and what was measured of them.
  struct Order {
    std::vector<LayerSet> sets;
    std::map<std::size_t, Score> known;  // by the number of layers
    bool adds_powers = false;            // predicts so
  };

  bool is_there(const Score& score) const {
    return limits_.goal && is_reached(*limits_.goal, score);
  }
  Order order_of(const std::vector<std::uint32_t>& layers, bool adds_powers) const;
  double predicted(const LayerSet& kept, bool adds_powers) const;
  std::size_t predicted_size(const Order& order) const;
  bool is_known(const LayerSet& set) const;
  void ask(std::size_t order, std::size_t size);
  void ask_first();
  void ask_more();
  void ask_around_best();
  void ask_back();
  std::optional<std::size_t> report_back(std::span<const Score> scores);

  LayerErrors errors_, powers_;
  std::vector<double> costs_;
  SearchLimits limits_;
  std::vector<Order> orders_;
  Score start_, score_;
  LayerSet kept_;
  bool has_begun_ = false, is_asked_back_ = false, is_back_ = false, is_around_best_ = false;
  std::size_t back_count_ = 0;
  std::vector<LayerSet> asked_;
};

}  // namespace planex::quantize
