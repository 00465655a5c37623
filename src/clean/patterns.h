// What passes ask of the nodes around a node.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "clean/draft.h"

namespace planex::clean {

// A node whose inputs are one computed tensor and one constant, in whatever order.
struct WithConstant {
  TensorId computed = kNone, constant = kNone;
  std::size_t place = 0;  // of the constant
};
// Null for nodes that don't have two inputs, and for two constants.
std::optional<WithConstant> with_constant(const Draft& draft, NodeId node);
// The same where the constant is one number, within `tolerance` of its size.
std::optional<TensorId> with_scalar(Draft& draft, NodeId node, std::string_view op, double value,
                                    double tolerance = 1e-6);
// The constant of an operation that has one number beside a computed tensor.
std::optional<std::pair<TensorId, double>> scalar_beside(Draft& draft, NodeId node,
                                                         std::string_view op);

// Reads from a DequantizeLinear, or is read by a QuantizeLinear: engines that compute in integers
// recognize the nodes between those by their form.
bool is_beside_pairs(const Draft& draft, NodeId node);
// Nodes whose inputs carry scales: their constants stay as they are.
bool is_quantizing(std::string_view op);

// The maker of an input, if it is that operation.
NodeId maker_of(const Draft& draft, NodeId node, std::size_t place, std::string_view op);

// The tensor's only reader, if it is that operation; kNone otherwise, and for pinned tensors.
NodeId reader_of(const Draft& draft, TensorId tensor, std::string_view op);

// A reduction along these axes (from 0, sorted); null where they are not known. Without axes:
// along all.
std::optional<Dims> reduced_axes(Draft& draft, NodeId node);

// A name for what a node makes beside its output: "OUTPUT_WHAT".
std::string derived_name(const Draft& draft, NodeId node, std::string_view what);

// A constant float32 tensor.
TensorId add_floats(Draft& draft, std::string_view name, Dims dims,
                    const std::vector<float>& values);

}  // namespace planex::clean
