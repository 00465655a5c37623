// Operations that compute the same whatever the order of the dimensions: they can run before a
// Transpose instead of behind it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "clean/draft.h"

namespace planex::clean {

// A Transpose: output dimension i is input dimension perm[i].
std::optional<Dims> perm_of(const Draft& draft, NodeId node);
Dims inverse_of(const Dims& perm);
// That of one Transpose behind another one.
Dims joined_perm(const Dims& first, const Dims& second);
Dims permuted(const Dims& dims, const Dims& perm);

// How many of a node's inputs, from the first on, are tensors whose dimensions have its order; null
// where it is not such an operation, or something about it is unknown. All tensors among them that
// are computed have `rank` dimensions, or none at all.
std::optional<std::size_t> free_inputs(Draft& draft, NodeId node, std::size_t rank);

// Changes the axes that a node names (Concat, Reduce, Pad, Slice, ...) and its constants, for
// inputs whose dimensions are those before a Transpose of that perm. Its other inputs and its
// outputs are the caller's.
void turn(Draft& draft, NodeId node, const Dims& perm);

}  // namespace planex::clean
