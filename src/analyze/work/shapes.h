// Arithmetic work from the dims of operands alone, for layers and for operations of the model.
//
// All functions return nothing where a size is dynamic, does not fit the others, or overflows: a
// returned number has been checked against every given operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/checked.h"

namespace planex::analyze {

using Dims = std::span<const std::int64_t>;

inline constexpr std::size_t kSpatialAxis = 2;  // N, C, then the spatial dimensions

// Product of `dims` from `first` on; nothing where one is dynamic.
std::optional<base::CheckedInt> product(Dims dims, std::size_t first = 0);

// Nothing where `a` is nothing, or the product overflows.
std::optional<std::int64_t> times(std::optional<base::CheckedInt> a, base::CheckedInt b);

// Whether a size is only known when the engine runs.
bool is_dynamic(Dims dims);

// Element counts as plain numbers.
std::optional<std::int64_t> element_count(Dims dims);

// Multiply-accumulates of out[..., M, N] = a[..., M, K] · b[..., K, N]; either operand can be
// transposed, and `b` can be a matrix [K, N] or [N, K] that all of `a`, of any rank, is multiplied
// with.
std::optional<std::int64_t> matrix_macs(Dims a, Dims b, Dims out);

// The same where `b` is not listed: `a` must have the rows of `out`.
std::optional<std::int64_t> matrix_macs_of_left(Dims a, Dims out);

// A product of one vector and a matrix that is written as a multiplication and a sum:
// `matrix` has vector · out elements.
std::optional<std::int64_t> matrix_vector_macs(Dims vector, Dims matrix, Dims out);

// The two products of attention: q[..., M, D] · k[..., D, S], then · v[..., S, E] = out[..., M, E].
// `k` and `v` can be transposed.
std::optional<std::int64_t> attention_macs(Dims q, Dims k, Dims v, Dims out);

// Whether an operand of attention can be a mask over the M × S products (or a single number), and
// so adds no products: keys and values of earlier turns would.
bool fits_attention_mask(Dims mask, Dims q, Dims k);

// A recurrent network: x[..., I], w[..., gates · H, I] and r[..., gates · H, H], of one rank; both
// matrices are multiplied with a vector at every position of x.
std::optional<std::int64_t> recurrent_macs(Dims x, Dims w, Dims r);

// A convolution of any rank from its weights [K, C / groups, kernel...], or with the groups apart:
// [groups, K / groups, C / groups, kernel...].
std::optional<std::int64_t> convolution_macs(Dims input, Dims weights, Dims out);

// A transposed convolution from its weights [C, K / groups, kernel...].
std::optional<std::int64_t> transposed_convolution_macs(Dims input, Dims weights, Dims out);

// The last dims of such weights, one for each spatial dimension of `out`, and the groups; nothing
// where the macs of the above would be nothing.
struct KernelAndGroups {
  Dims kernel;
  std::int64_t groups = 1;
};
std::optional<KernelAndGroups> convolution_kernel(Dims input, Dims weights, Dims out);
std::optional<KernelAndGroups> transposed_convolution_kernel(Dims input, Dims weights, Dims out);

}  // namespace planex::analyze
