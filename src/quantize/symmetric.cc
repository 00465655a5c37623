#include "quantize/symmetric.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/try.h"

namespace planex::quantize {
namespace {

constexpr double kLowest = -128, kHighest = 127;  // of int8

std::int64_t zero_point_at(const ExistingScale& scale, std::size_t place) {
  if (scale.zero_points.empty()) return 0;
  return scale.zero_points[std::min(place, scale.zero_points.size() - 1)];
}

double scale_at(const ExistingScale& scale, std::size_t place) {
  return std::bit_cast<float>(scale.bits[std::min(place, scale.bits.size() - 1)]);
}

// Which scale each value of a tensor has: `inner` consecutive values share one.
struct Channels {
  std::size_t count = 1, inner = 0;
  std::size_t of(std::size_t value) const { return count == 1 ? 0 : value / inner % count; }
};

std::optional<Channels> channels_of(const onnx::Model& model, const ExistingWeight& weight) {
  const auto dims = model.dims_of(model.tensors[weight.tensor]);
  const std::size_t count = weight.scale.bits.size();
  if (count == 1) return Channels{};
  const std::int64_t axis =
      weight.scale.axis < 0 ? weight.scale.axis + std::ssize(dims) : weight.scale.axis;
  if (count == 0 || axis < 0 || axis >= std::ssize(dims) ||
      dims[static_cast<std::size_t>(axis)] != static_cast<std::int64_t>(count)) {
    return std::nullopt;
  }
  Channels channels{.count = count, .inner = 1};
  for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < dims.size(); ++i) {
    channels.inner *= static_cast<std::size_t>(std::max<std::int64_t>(dims[i], 1));
  }
  return channels;
}

std::vector<std::int64_t> dims_copy(const onnx::Model& model, onnx::Index tensor) {
  const auto dims = model.dims_of(model.tensors[tensor]);
  return {dims.begin(), dims.end()};
}

}  // namespace

bool is_symmetric(const ExistingScale& scale) {
  return !scale.is_unsigned &&
         std::ranges::all_of(scale.zero_points, [](std::int64_t zero) { return zero == 0; });
}

std::vector<double> symmetric_factors(const ExistingScale& scale) {
  constexpr double kUnsignedHighest = 255;
  std::vector<double> factors;
  for (std::size_t place = 0; place < scale.bits.size(); ++place) {
    const auto zero = static_cast<double>(zero_point_at(scale, place));
    const double low = (scale.is_unsigned ? 0 : kLowest) - zero;
    const double high = (scale.is_unsigned ? kUnsignedHighest : kHighest) - zero;
    factors.push_back(std::max({1.0, low / kLowest, high / kHighest}));
  }
  return factors;
}

std::string symmetric_scales(const ExistingScale& scale) {
  std::vector<float> scales;
  const std::vector<double> factors = symmetric_factors(scale);
  for (std::size_t place = 0; place < factors.size(); ++place) {
    scales.push_back(static_cast<float>(scale_at(scale, place) * factors[place]));
  }
  return onnx::raw_of(scales);
}

Result<std::optional<SymmetricWeight>> symmetric_weight(const onnx::Model& model,
                                                        const ExistingWeight& weight,
                                                        onnx::Values& values) {
  const onnx::DataType type = model.tensors[weight.tensor].type;
  const auto channels = channels_of(model, weight);
  if (!channels || (type != onnx::DataType::kInt8 && type != onnx::DataType::kUint8)) {
    return std::nullopt;
  }
  PLANEX_ASSIGN(const std::vector<std::int64_t> stored, values.ints(model.tensors[weight.tensor]));
  std::vector<double> factors(channels->count, 1.0);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const std::size_t channel = channels->of(i);
    const auto value = static_cast<double>(stored[i] - zero_point_at(weight.scale, channel));
    factors[channel] = std::max({factors[channel], value / kLowest, value / kHighest});
  }
  std::vector<std::int8_t> integers;
  integers.reserve(stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const std::size_t channel = channels->of(i);
    const auto value = static_cast<double>(stored[i] - zero_point_at(weight.scale, channel));
    integers.push_back(static_cast<std::int8_t>(
        std::clamp(std::nearbyint(value / factors[channel]), kLowest, kHighest)));
  }
  std::vector<float> scales;
  for (std::size_t channel = 0; channel < channels->count; ++channel) {
    scales.push_back(static_cast<float>(scale_at(weight.scale, channel) * factors[channel]));
  }
  const std::vector<std::int64_t> scale_dims = dims_copy(model, weight.scale.scale);
  return SymmetricWeight{.integers = {.name = {},
                                      .type = onnx::DataType::kInt8,
                                      .dims = dims_copy(model, weight.tensor),
                                      .raw = onnx::raw_of(integers)},
                         .scale = {.name = {},
                                   .type = onnx::DataType::kFloat,
                                   .dims = scale_dims,
                                   .raw = onnx::raw_of(scales)},
                         .zero_point = {.name = {},
                                        .type = onnx::DataType::kInt8,
                                        .dims = scale_dims,
                                        .raw = std::string(channels->count, '\0')}};
}

Result<std::optional<onnx::NewTensor>> float_bias(const onnx::Model& model,
                                                  const ExistingWeight& weight,
                                                  onnx::Values& values) {
  const auto channels = channels_of(model, weight);
  if (!channels || model.tensors[weight.tensor].type != onnx::DataType::kInt32) return std::nullopt;
  PLANEX_ASSIGN(const std::vector<std::int64_t> stored, values.ints(model.tensors[weight.tensor]));
  std::vector<float> floats;
  floats.reserve(stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) {
    floats.push_back(static_cast<float>(static_cast<double>(stored[i]) *
                                        scale_at(weight.scale, channels->of(i))));
  }
  return onnx::NewTensor{.name = {},
                         .type = onnx::DataType::kFloat,
                         .dims = dims_copy(model, weight.tensor),
                         .raw = onnx::raw_of(floats)};
}

}  // namespace planex::quantize
