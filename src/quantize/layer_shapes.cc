#include "quantize/layer_shapes.h"

#include <algorithm>
#include <string_view>

#include "quantize/constants.h"

namespace planex::quantize {
namespace {

using onnx::Index;
using onnx::kNoIndex;

}  // namespace

std::optional<int> channel_axis(const Flow& flow, Index node, std::uint32_t place,
                                std::span<const std::int64_t> dims) {
  const std::string_view op = flow.op(node);
  const int rank = static_cast<int>(dims.size());
  if (op == "Conv") return rank >= 3 ? std::optional(0) : std::nullopt;
  if (op == "ConvTranspose") return rank >= 3 ? std::optional(1) : std::nullopt;
  if (rank < 2) return std::nullopt;
  if (op == "Gemm")
    return int_attribute(flow.model(), flow.model().nodes[node], "transB", 0) != 0 ? 0 : 1;
  return place == 1 ? rank - 1 : rank - 2;
}

bool is_small_convolution(const Flow& flow, Index node, std::span<const std::int64_t> dims) {
  constexpr std::int64_t kFew = 16, kStep = 8;
  const std::int64_t out = dims[0], in = dims[1];
  if (out >= kFew && in >= kFew) return false;
  const auto kernel = dims.subspan(2);
  if (int_attribute(flow.model(), flow.model().nodes[node], "group", 1) > 1) {
    return out % kStep != 0 || std::ranges::min(kernel) < 3;
  }
  const TensorId data = flow.input(node, 0);
  const bool is_square = std::ranges::min(kernel) == std::ranges::max(kernel);
  const bool is_first = flow.maker(data) == kNoIndex && flow.link(data).is_input;
  return !(is_square && (out % kStep == 0 || in % kStep == 0) &&
           (is_first || out >= kFew || in >= kFew));
}

std::int64_t kernel_size(std::span<const std::int64_t> dims) {
  std::int64_t size = 1;
  for (const std::int64_t dim : dims.subspan(2)) size *= dim;
  return size;
}

bool is_small_in_fp8(std::span<const std::int64_t> dims) {
  constexpr std::int64_t kFew = 16, kLarge = 32;
  return dims[0] <= kFew || dims[1] <= kFew || kernel_size(dims) > kLarge;
}

bool is_vector_product(const Flow& flow, Index node, std::uint32_t place,
                       std::span<const std::int64_t> dims) {
  if (dims[place == 1 ? dims.size() - 1 : dims.size() - 2] == 1) return true;
  const TensorId made = flow.output(node);
  if (made == kNoTensor || flow.link(made).value == kNoIndex) return false;
  const onnx::Value& value = flow.model().values[flow.link(made).value];
  const auto shape = flow.model().dims_of(value);
  if (!value.has_shape || shape.size() < 2) return false;
  return shape[shape.size() - 1].value == 1 || shape[shape.size() - 2].value == 1;
}

}  // namespace planex::quantize
