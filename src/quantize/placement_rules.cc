#include "quantize/placement_rules.h"

#include <array>
#include <utility>

namespace planex::quantize {
namespace {

constexpr std::array<std::pair<Target, std::string_view>, 3> kTargets = {{
    {Target::kTensorrt, "tensorrt"},
    {Target::kTensorrtRtx, "tensorrt-rtx"},
    {Target::kOpenvino, "openvino"},
}};

}  // namespace

std::string_view to_string(Target target) {
  return kTargets[static_cast<std::size_t>(target)].second;
}

std::optional<Target> target_of(std::string_view name) {
  for (const auto& [target, known] : kTargets) {
    if (known == name) return target;
  }
  return std::nullopt;
}

}  // namespace planex::quantize
