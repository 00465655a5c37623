// The windows of an engine's convolutions: kernel, stride, dilation and groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// How a window is known; the first that applies.
enum class WindowEvidence : std::uint8_t {
  kParameters,  // the layer lists it
  kOperation,   // the only convolution of the source model that the layer stems from lists it
  kWeights,     // from the dims of the weights: kernel and groups only
};
std::string_view to_string(WindowEvidence evidence);

struct ConvolutionWindow {
  model::LayerId layer;
  // One entry per spatial dimension; empty where not known.
  std::vector<std::int64_t> kernel, stride, dilation;
  std::optional<std::int64_t> groups;
  WindowEvidence evidence = WindowEvidence::kParameters;
};

// For the layers that do work and are convolutions, transposed or not, in execution order; those of
// which nothing is known are left out. Cost: O(layers + ports + sources + operations).
std::vector<ConvolutionWindow> convolution_windows(const model::PlanModel& model);

}  // namespace planex::analyze
