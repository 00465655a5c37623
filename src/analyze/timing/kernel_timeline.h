// A layer's launches on a time axis, from a trace of the device: one inference, stream by stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/timing/exact_time.h"
#include "model/plan_model.h"

namespace planex::analyze {

struct KernelSlice {
  std::size_t row = 0;      // of `kernels`
  std::uint32_t track = 0;  // index into KernelTimeline::streams
  // From the first kernel of the inference on. Medians over inferences can overlap by the spread of
  // launches: then the later one starts when the earlier one has ended.
  Femtoseconds start = 0;
  Femtoseconds duration = 0;  // median
};

struct KernelTimeline {
  // CUDA's numbers, ascending; null: unknown or varying streams.
  std::vector<std::optional<std::int64_t>> streams;
  // By track, then start. On each track they follow one another without overlap.
  std::vector<KernelSlice> slices;
  // Launches of layers that cannot be placed on an axis, as they have no start or no time.
  std::int64_t without_time = 0;
};

// Of the kernels that inferences launched in the same place of a layer, the most frequent one.
// Kernels without a layer are left out: how often they run in an inference is not known. Layers of
// the shown optimization profile. Cost: O(kernels), besides sorting.
KernelTimeline kernel_timeline_of(const model::PlanModel& model);

}  // namespace planex::analyze
