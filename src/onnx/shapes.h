// Shapes of the tensors of a model's main graph, as far as the model shows them without running.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/values.h"

namespace planex::onnx {

// Operators with more dimensions are not followed.
inline constexpr std::size_t kMaxRank = 16;

// What shapes follow from.
enum class ShapeBasis : std::uint8_t {
  // What the file says of a tensor takes precedence over what follows from its nodes, and an open
  // batch may be taken as 1: for figures.
  kDeclared,
  // Inputs alone, and what they leave open stays open: for changes to the model, since a file can
  // declare shapes that its nodes don't produce.
  kInputs
};

class Shapes {
 public:
  // Follows the nodes in their order, and the lists of sizes that Shape, Gather, Concat and others
  // compute for Reshape. Cost: O(nodes and their inputs).
  Shapes(const Model& model, const Links& links, Values& values,
         ShapeBasis basis = ShapeBasis::kDeclared);

  // -1: unknown, or open. Null: even their number is unknown.
  std::optional<std::span<const std::int64_t>> of(std::string_view tensor) const;

  // The elements of a short list of integers that nodes compute, or of one integer; those that are
  // unknown are kUnknownElement (shape_rules.h). Null: it is no such list.
  std::optional<std::span<const std::int64_t>> list_of(std::string_view tensor) const;

  // The first dimension of every input that leaves it open was taken as 1, and nothing else in the
  // inputs is open. False: all of them are known, or others are open too.
  bool is_batch_assumed() const { return is_batch_assumed_; }
  // The inputs with an open dimension that is not the batch.
  const std::vector<std::string_view>& open_inputs() const { return open_inputs_; }

 private:
  using Dims = std::vector<std::int64_t>;

  void read_inputs();
  void look_at(const Node& node);
  void learn(std::string_view tensor, Dims dims);
  void learn_value(std::string_view tensor, Dims elements);
  // Elements of a list of integers, kUnknownElement where one is unknown; null: no such list.
  std::optional<Dims> elements(std::string_view tensor);
  std::optional<std::vector<float>> floats(std::string_view tensor);
  // The constant of this name that is short enough to be such a list, or null.
  const Tensor* short_constant(std::string_view tensor) const;

  const Model& model_;
  const Links& links_;
  Values& values_;
  ShapeBasis basis_ = ShapeBasis::kDeclared;
  std::unordered_map<std::string_view, Dims> dims_;
  std::unordered_map<std::string_view, Dims> elements_;
  std::vector<std::string_view> open_inputs_;
  bool is_batch_assumed_ = false;
};

}  // namespace planex::onnx
