// Constants of a model while it is changed: values of attributes, and tensors that nothing reads
// any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/model.h"

namespace planex::quantize {

// `fallback` where the node does not have it.
std::int64_t int_attribute(const onnx::Model& model, const onnx::Node& node, std::string_view name,
                           std::int64_t fallback);
float float_attribute(const onnx::Model& model, const onnx::Node& node, std::string_view name,
                      float fallback);

// Counts readers that are removed.
class Uses {
 public:
  Uses(const onnx::Model& model, const onnx::Links& links, onnx::Edit& edit)
      : model_(model), links_(links), edit_(edit) {}

  // `count` inputs no longer read the tensor. When nothing reads a constant any more, what holds it
  // is removed: initializers, Constant nodes, and Identity nodes on the way. Computed tensors stay.
  void drop(std::string_view tensor, std::size_t count);

 private:
  const onnx::Model& model_;
  const onnx::Links& links_;
  onnx::Edit& edit_;
  std::unordered_map<std::string_view, std::size_t> dropped_;
};

}  // namespace planex::quantize
