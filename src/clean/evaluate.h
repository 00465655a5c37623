// Computes nodes whose inputs are constants.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "clean/draft.h"

namespace planex::clean {

// The outputs of a node, by the values of its inputs (null: left out). Null where the operator, the
// types or the sizes are none that it computes: it only knows what lists of sizes, masks, tables of
// positions and weights are made with, and only what every engine computes to the same bits: no
// Exp, no Sin.
std::optional<std::vector<Constant>> evaluated(const Draft& draft, NodeId node,
                                               std::span<const std::optional<Constant>> inputs);

// Operations that only move elements; null where the arguments don't fit.
std::optional<Constant> transposed(const Constant& from, const Dims& perm);
std::optional<Constant> expanded(const Constant& from, const Dims& dims);
// The dims that arrays of these dims are broadcast to.
std::optional<Dims> broadcast_dims(const Dims& a, const Dims& b);

// Integers of a constant list or scalar of int32 or int64.
std::optional<Dims> ints_of(const Constant& list);

// From 0; null where there is no such axis.
std::optional<std::size_t> axis_at(std::int64_t axis, std::size_t rank);

// The parts of evaluated(); each null where it does not know the operator.
std::optional<std::vector<Constant>> evaluated_move(const Draft& draft, NodeId node,
                                                    std::span<const std::optional<Constant>> in);
std::optional<Constant> evaluated_arithmetic(const Draft& draft, NodeId node,
                                             std::span<const std::optional<Constant>> in);

}  // namespace planex::clean
