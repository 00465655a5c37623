// Element types of the tensors of a model's main graph, as far as the model shows them without
// running.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "onnx/data_types.h"
#include "onnx/links.h"
#include "onnx/model.h"

namespace planex::onnx {

class Types {
 public:
  // Follows the nodes in their order. Where nothing else is known, an output has the type of the
  // first input that has one, as for most operators. Cost: O(nodes).
  explicit Types(const Model& model);

  // kUndefined: unknown, or not a tensor (a sequence, a map).
  DataType of(std::string_view tensor) const;

 private:
  void look_at(Index index);
  bool makes_sequence(const Node& node) const;
  DataType type_of(Index index, std::size_t output) const;
  DataType type_of_body(Index index, std::size_t output) const;
  DataType type_of_constant(const Node& node) const;

  const Model& model_;
  std::unordered_map<std::string_view, DataType> types_;
  std::unordered_set<std::string_view> sequences_;  // in types_: what their elements have
  std::unordered_map<Index, Index> bodies_;         // of nodes with subgraphs: the first
};

}  // namespace planex::onnx
