#include "quantize/cure.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "base/try.h"

namespace planex::quantize {
namespace {

using onnx::DataType;
using onnx::Index;
using onnx::kNoIndex;

constexpr std::int64_t kGreatest = 63;
constexpr char kUnsignedZeroPoint = -128;  // 128 of uint8, as a byte

bool has_zero_points_of_0(const ExistingScale& scale) {
  return std::ranges::all_of(scale.zero_points, [](std::int64_t zero) { return zero == 0; });
}

// An int8 weight as [outer, channels, inner].
struct Narrowed {
  std::vector<float> scales;
  std::string values;
};

class Narrower {
 public:
  Narrower(const ExistingWeight& weight, std::span<const std::int64_t> dims)
      : channels_(weight.scale.bits.size()) {
    if (channels_ < 2) return;
    const auto rank = static_cast<std::int64_t>(dims.size());
    const std::int64_t axis = weight.scale.axis < 0 ? weight.scale.axis + rank : weight.scale.axis;
    for (std::int64_t i = axis + 1; i < rank; ++i) {
      inner_ *= static_cast<std::size_t>(dims[static_cast<std::size_t>(i)]);
    }
  }

  Narrowed from_floats(std::span<const float> floats) const {
    Narrowed result;
    std::vector<float> peaks(channels_, 0.0F);
    for (std::size_t i = 0; i < floats.size(); ++i) {
      peaks[channel(i)] = std::max(peaks[channel(i)], std::fabs(floats[i]));
    }
    for (const float peak : peaks) {
      result.scales.push_back(
          std::max(peak / static_cast<float>(kGreatest), std::numeric_limits<float>::min()));
    }
    constexpr auto kLimit = static_cast<float>(kGreatest);
    for (std::size_t i = 0; i < floats.size(); ++i) {
      const float whole =
          std::clamp(std::nearbyint(floats[i] / result.scales[channel(i)]), -kLimit, kLimit);
      result.values += static_cast<char>(static_cast<std::int8_t>(whole));
    }
    return result;
  }

  Narrowed from_integers(std::span<const std::int64_t> integers,
                         std::span<const std::uint32_t> bits) const {
    Narrowed result;
    for (const std::uint32_t one : bits) result.scales.push_back(2 * std::bit_cast<float>(one));
    for (const std::int64_t integer : integers) {
      const double half = std::nearbyint(static_cast<double>(integer) / 2);
      const auto whole = std::clamp(static_cast<std::int64_t>(half), -kGreatest, kGreatest);
      result.values += static_cast<char>(static_cast<std::int8_t>(whole));
    }
    return result;
  }

 private:
  std::size_t channel(std::size_t element) const { return element / inner_ % channels_; }

  std::size_t channels_, inner_ = 1;
};

}  // namespace

Result<std::vector<std::size_t>> narrow_weights(const ModelView& subject, const Existing& existing,
                                                const std::vector<FloatWeight>& floats,
                                                std::span<const std::size_t> weights,
                                                onnx::Edit& edit) {
  std::vector<std::size_t> changed;
  onnx::FreshNames names(subject.model, edit);
  for (const std::size_t place : weights) {
    const ExistingWeight& weight = existing.weights[place];
    const onnx::Tensor& tensor = subject.model.tensors[weight.tensor];
    if (tensor.type != DataType::kInt8 || floats[place].values.empty() ||
        !has_zero_points_of_0(weight.scale)) {
      continue;
    }
    PLANEX_ASSIGN(const auto integers, subject.values.ints(tensor));
    if (std::ranges::all_of(integers,
                            [](std::int64_t one) { return std::abs(one) <= kGreatest; })) {
      continue;
    }
    const auto dims = subject.model.dims_of(tensor);
    const Narrower narrower(weight, dims);
    Narrowed narrowed = floats[place].is_dequantized
                            ? narrower.from_integers(integers, weight.scale.bits)
                            : narrower.from_floats(floats[place].values);
    const auto scale_dims = subject.model.dims_of(subject.model.tensors[weight.scale.scale]);
    std::string values = names.take(std::string(weight.name) + "_7bit");
    std::string scale = names.take(std::string(weight.name) + "_7bit_scale");
    edit.set_input(weight.dequantizer, 0, values);
    edit.set_input(weight.dequantizer, 1, scale);
    edit.add_initializer({.name = std::move(values),
                          .type = DataType::kInt8,
                          .dims = {dims.begin(), dims.end()},
                          .raw = std::move(narrowed.values)});
    edit.add_initializer({.name = std::move(scale),
                          .dims = {scale_dims.begin(), scale_dims.end()},
                          .raw = onnx::raw_of(narrowed.scales)});
    changed.push_back(place);
  }
  return changed;
}

bool is_signed_pair(const ModelView& subject, const ExistingPair& pair) {
  if (pair.scale.bits.size() != 1 || !has_zero_points_of_0(pair.scale)) return false;
  // Without a zero point it is uint8, and nothing that is identified by name changes.
  const Index zero = pair.scale.zero_point;
  return zero != kNoIndex && subject.model.tensors[zero].type == DataType::kInt8;
}

std::vector<std::size_t> make_unsigned(const ModelView& subject, const Existing& existing,
                                       std::span<const std::size_t> pairs, onnx::Edit& edit) {
  std::set<Index> quantizers;
  for (const std::size_t place : pairs) {
    if (is_signed_pair(subject, existing.pairs[place])) {
      quantizers.insert(existing.pairs[place].quantizer);
    }
  }
  std::vector<std::size_t> changed;
  if (quantizers.empty()) return changed;
  onnx::FreshNames names(subject.model, edit);
  const std::string zero = names.take("unsigned_zero_point");
  edit.add_initializer({.name = zero,
                        .type = DataType::kUint8,
                        .dims = {},
                        .raw = std::string(1, kUnsignedZeroPoint)});
  for (const Index quantizer : quantizers) edit.set_input(quantizer, 2, zero);
  for (std::size_t place = 0; place < existing.pairs.size(); ++place) {
    if (!quantizers.contains(existing.pairs[place].quantizer)) continue;
    edit.set_input(existing.pairs[place].dequantizer, 2, zero);
    changed.push_back(place);
  }
  return changed;
}

}  // namespace planex::quantize
