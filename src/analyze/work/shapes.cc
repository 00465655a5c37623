#include "analyze/work/shapes.h"

#include <algorithm>

namespace planex::analyze {
namespace {

using base::CheckedInt;

constexpr std::size_t kChannelAxis = 1;

// The last two dims.
struct Matrix {
  std::int64_t rows = 0, columns = 0;
};

std::optional<Matrix> matrix_of(Dims dims) {
  if (dims.size() < 2) return std::nullopt;
  const Matrix matrix{dims[dims.size() - 2], dims[dims.size() - 1]};
  if (matrix.rows < 0 || matrix.columns < 0) return std::nullopt;
  return matrix;
}

// The other dimension of a matrix, besides `known`; rows first where both are equal.
std::optional<std::int64_t> other_than(Matrix matrix, std::int64_t known) {
  if (matrix.rows == known) return matrix.columns;
  if (matrix.columns == known) return matrix.rows;
  return std::nullopt;
}

}  // namespace

std::optional<CheckedInt> product(Dims dims, std::size_t first) {
  CheckedInt result = 1;
  for (std::size_t i = first; i < dims.size(); ++i) {
    if (dims[i] < 0) return std::nullopt;
    result *= dims[i];
  }
  return result;
}

std::optional<std::int64_t> times(std::optional<CheckedInt> a, CheckedInt b) {
  return a ? (*a * b).value() : std::nullopt;
}

bool is_dynamic(Dims dims) {
  return std::ranges::any_of(dims, [](std::int64_t dim) { return dim < 0; });
}

std::optional<std::int64_t> element_count(Dims dims) {
  const auto elements = product(dims);
  return elements ? elements->value() : std::nullopt;
}

std::optional<std::int64_t> matrix_macs(Dims a, Dims b, Dims out) {
  const auto right = matrix_of(b);
  if (!right || out.empty()) return std::nullopt;
  // All ways in which the three fit have the same K.
  if (const auto left = matrix_of(a), result = matrix_of(out); left && result) {
    const auto reduced = [&]() -> std::optional<std::int64_t> {
      for (const std::int64_t inner : {left->rows == result->rows ? left->columns : -1,
                                       left->columns == result->rows ? left->rows : -1}) {
        if (inner < 0) continue;
        if (right->rows == inner && right->columns == result->columns) return inner;
        if (right->columns == inner && right->rows == result->columns) return inner;
      }
      return std::nullopt;
    }();
    if (reduced) return times(product(out), *reduced);
  }
  // One matrix for all of `a`, whose rows can be spread over any dims: [1,512,1,1] -> [1,1000].
  const std::int64_t columns = out.back();
  const auto reduced = columns < 0 ? std::nullopt : other_than(*right, columns);
  const auto left_elements = product(a), out_elements = product(out), all = product(b);
  if (!reduced || !left_elements || !out_elements || !all) return std::nullopt;
  const bool one_matrix = all->value() == (CheckedInt(right->rows) * right->columns).value();
  const auto macs = (*out_elements * *reduced).value();
  if (!one_matrix || !macs || macs != (*left_elements * columns).value()) return std::nullopt;
  return macs;
}

std::optional<std::int64_t> matrix_macs_of_left(Dims a, Dims out) {
  const auto left = matrix_of(a), result = matrix_of(out);
  if (!left || !result || left->rows != result->rows) return std::nullopt;
  return times(product(out), left->columns);
}

std::optional<std::int64_t> matrix_vector_macs(Dims vector, Dims matrix, Dims out) {
  const auto of_vector = product(vector), of_matrix = product(matrix), of_out = product(out);
  if (!of_vector || !of_matrix || !of_out) return std::nullopt;
  // A single element times all of out would not be a sum.
  if (of_vector->value().value_or(0) < 2) return std::nullopt;
  const auto macs = (*of_vector * *of_out).value();
  return macs == of_matrix->value() ? macs : std::nullopt;
}

std::optional<std::int64_t> attention_macs(Dims q, Dims k, Dims v, Dims out) {
  const auto query = matrix_of(q), key = matrix_of(k), value = matrix_of(v),
             result = matrix_of(out);
  if (!query || !key || !value || !result || query->rows != result->rows) return std::nullopt;
  // Keys are [S, D] or [D, S]. Where both fit they are square, and the answer is the same.
  const auto length = other_than(*key, query->columns);
  if (!length || other_than(*value, *length) != result->columns) return std::nullopt;
  // Both products have a result for each row of out and each key or column of value.
  const auto rows = product(out.first(out.size() - 1));
  return times(rows, CheckedInt(*length) * (CheckedInt(query->columns) + result->columns));
}

bool fits_attention_mask(Dims mask, Dims q, Dims k) {
  if (element_count(mask) == 1) return true;
  const auto over = matrix_of(mask), query = matrix_of(q), key = matrix_of(k);
  if (!over || !query || !key) return false;
  const bool of_rows = over->rows == 1 || over->rows == query->rows;
  return of_rows && over->columns == other_than(*key, query->columns);
}

std::optional<std::int64_t> recurrent_macs(Dims x, Dims w, Dims r) {
  if (w.size() < 2 || x.size() != w.size() || r.size() != w.size()) return std::nullopt;
  const std::int64_t gates = w[w.size() - 2], hidden = r.back();
  if (w.back() != x.back() || r[r.size() - 2] != gates || hidden < 1 || gates % hidden != 0) {
    return std::nullopt;
  }
  if (w.size() == 3 && w[0] != r[0]) return std::nullopt;  // directions
  const auto of_w = product(w), of_r = product(r);
  return of_w && of_r ? times(product(x.first(x.size() - 1)), *of_w + *of_r) : std::nullopt;
}

std::optional<std::int64_t> convolution_macs(Dims input, Dims weights, Dims out) {
  if (input.size() <= kSpatialAxis || input.size() != out.size()) return std::nullopt;
  const bool groups_apart = weights.size() == out.size() + 1;
  if (!groups_apart && weights.size() != out.size()) return std::nullopt;
  const std::size_t reduced_axis = groups_apart ? 2 : 1;
  const auto out_channels = product(weights.first(reduced_axis));
  const auto kernel = product(weights, reduced_axis);
  const std::int64_t group_channels = weights[reduced_axis], channels = input[kChannelAxis];
  if (!kernel || !out_channels || out_channels->value() != out[kChannelAxis] ||
      group_channels <= 0 || channels < 0 || channels % group_channels != 0) {
    return std::nullopt;
  }
  return times(product(out), *kernel);
}

std::optional<std::int64_t> transposed_convolution_macs(Dims input, Dims weights, Dims out) {
  if (input.size() <= kSpatialAxis || input.size() != out.size() ||
      weights.size() != input.size() || weights[0] != input[kChannelAxis]) {
    return std::nullopt;
  }
  const std::int64_t group_channels = weights[1], channels = out[kChannelAxis];
  if (group_channels <= 0 || channels < 0 || channels % group_channels != 0) return std::nullopt;
  const auto kernel = product(weights, 1);
  return kernel ? times(product(input), *kernel) : std::nullopt;
}

std::optional<KernelAndGroups> convolution_kernel(Dims input, Dims weights, Dims out) {
  if (!convolution_macs(input, weights, out)) return std::nullopt;
  const std::size_t first = weights.size() - (out.size() - kSpatialAxis);
  return KernelAndGroups{weights.subspan(first), input[kChannelAxis] / weights[first - 1]};
}

std::optional<KernelAndGroups> transposed_convolution_kernel(Dims input, Dims weights, Dims out) {
  if (!transposed_convolution_macs(input, weights, out)) return std::nullopt;
  return KernelAndGroups{weights.subspan(kSpatialAxis), out[kChannelAxis] / weights[1]};
}

}  // namespace planex::analyze
