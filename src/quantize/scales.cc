#include "quantize/scales.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

namespace planex::quantize {
namespace {

// The number of levels of a signed scale that a range may leave empty.
constexpr double kEmptyShare = 0.25;

struct Shared {
  double min = 0, max = 0;
  bool is_unsigned = false;
  double threshold = 0;
};
using Groups = std::map<std::uint32_t, Shared>;

Groups groups_of(std::span<const QuantizedTensor> tensors) {
  Groups groups;
  for (const QuantizedTensor& tensor : tensors) {
    const auto [found, is_new] = groups.try_emplace(tensor.scale_group);
    Shared& shared = found->second;
    shared.min = is_new ? tensor.min : std::min(shared.min, tensor.min);
    shared.max = is_new ? tensor.max : std::max(shared.max, tensor.max);
    shared.is_unsigned = shared.is_unsigned || tensor.is_unsigned;
  }
  return groups;
}

bool is_lopsided(const Shared& range) {
  const double low = std::min(range.min, 0.0), high = std::max(range.max, 0.0);
  const double signed_width = 2 * std::max(-low, high);
  return signed_width > 0 && high - low <= (1 - kEmptyShare) * signed_width;
}

// Its layer runs on 8 bits only if a Clip before the quantizer has nothing left to do.
bool is_written_by_layer(const QuantizedTensor& tensor) {
  return std::ranges::find(tensor.rules, "quantized-output") != tensor.rules.end();
}

// The scale, one float step smaller where rounding put the last of its levels above the largest
// value, which is where a Clip ends.
float below(float scale, double largest) {
  constexpr float kSteps = 255;
  return static_cast<double>(scale * kSteps) > largest ? std::nextafter(scale, 0.0F) : scale;
}

}  // namespace

void choose_encodings(std::span<QuantizedTensor> tensors, Target target, NumberFormat format) {
  if (format == NumberFormat::kFp8) {
    for (QuantizedTensor& tensor : tensors) tensor.encoding = Encoding::kFloat8;
    return;
  }
  const bool is_always_unsigned =
      stance(*find_placement_rule("unsigned-throughout"), target) == Stance::kYes;
  const Groups groups = groups_of(tensors);
  for (QuantizedTensor& tensor : tensors) {
    const Shared& shared = groups.at(tensor.scale_group);
    const bool is_shifted =
        is_always_unsigned || (target == Target::kOpenvino && is_lopsided(shared));
    tensor.encoding = is_shifted           ? Encoding::kShifted
                      : shared.is_unsigned ? Encoding::kMiddle
                                           : Encoding::kSigned;
  }
}

std::vector<TensorScale> choose_scales(std::span<const QuantizedTensor> tensors,
                                       const MethodOptions& method) {
  Groups groups = groups_of(tensors);
  for (const QuantizedTensor& tensor : tensors) {
    Shared& shared = groups.at(tensor.scale_group);
    shared.threshold =
        std::max(shared.threshold,
                 threshold(tensor.histogram, method, tensor.encoding, shared.min, shared.max));
  }
  std::vector<TensorScale> scales;
  for (const QuantizedTensor& tensor : tensors) {
    Shared shared = groups.at(tensor.scale_group);
    TensorScale one;
    one.threshold = shared.threshold > 0 ? shared.threshold : 1;
    // For zeros alone: 0 to 1, with the zero point for ranges without values below 0.
    if (shared.min == 0 && shared.max == 0) shared.max = 1;
    one.levels = levels_of(tensor.encoding, shared.min, shared.max, one.threshold);
    one.scale = std::max(static_cast<float>(one.levels.scale), std::numeric_limits<float>::min());
    if (shared.min >= 0 && is_written_by_layer(tensor)) one.scale = below(one.scale, shared.max);
    if (tensor.encoding == Encoding::kMiddle) {
      one.zero_point = {.is_unsigned = true, .value = kMiddleZeroPoint};
    } else if (tensor.encoding == Encoding::kShifted) {
      one.zero_point = {.is_unsigned = true,
                        .value = static_cast<std::uint8_t>(-one.levels.lowest)};
    }
    scales.push_back(one);
  }
  return scales;
}

RewriteOptions rewrite_options(std::span<const TensorScale> scales) {
  RewriteOptions options;
  for (const TensorScale& scale : scales) {
    options.scales.push_back(scale.scale);
    options.zero_points.push_back(scale.zero_point);
  }
  return options;
}

}  // namespace planex::quantize
