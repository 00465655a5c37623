// How many dimensions tensors have, as far as a model shows without running it.
//
// This is not shape inference: it follows what operators do with the number of dimensions, and with
// the length of lists of sizes, which Reshape turns into one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/values.h"

namespace planex::onnx {

class Ranks {
 public:
  // Cost: O(nodes and their inputs).
  Ranks(const Model& model, const Links& links, Values& values);

  // Null: unknown, or contradictory (names of two subgraphs).
  std::optional<std::int64_t> of(std::string_view tensor) const;

 private:
  using Facts = std::unordered_map<std::string_view, std::int64_t>;

  void look_at(const Node& node);
  std::optional<std::int64_t> rank_of(const Node& node);
  std::optional<std::int64_t> length_of(const Node& node) const;
  std::optional<std::int64_t> length(std::string_view tensor) const;
  // The number of axes that a node names, in an attribute or an input.
  std::optional<std::int64_t> axes_of(const Node& node) const;
  static void learn(Facts& facts, std::string_view tensor, std::int64_t value);

  const Model& model_;
  const Links& links_;
  Values& values_;
  Facts ranks_, lengths_;
};

}  // namespace planex::onnx
