// When each tensor must be held, and the maximum memory needed at once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

struct Contributor {
  model::TensorId tensor;  // with several names for one memory, the largest
  std::int64_t bytes = 0;
};

struct LivePeak {
  // The maximum sum of bytes over what is live while one layer runs. Null where no activation has a
  // size, the sum overflows or the engine has more than kMaxStreams streams.
  std::optional<std::int64_t> bytes;
  model::LayerId layer;  // the first layer at which it is reached; null where nothing is held
  // The same with the scratch memory that layers reserve while they run: what a builder reports as
  // activation memory, if it places all of it without gaps. Null where no layer records its scratch
  // memory.
  std::optional<std::int64_t> with_scratch_bytes;
  // What is live at `layer`, largest first, then by tensor; at most kMaxContributors.
  std::vector<Contributor> contributors;
  std::int64_t contributor_count = 0;
  std::int64_t stream_count = 0;
  std::int64_t tensors_without_size = 0;  // left out of the sum, which is then a lower bound
};

inline constexpr std::size_t kMaxStreams = 32;
inline constexpr std::size_t kMaxContributors = 10;

// Only activations count: the memory of engine inputs and outputs belongs to the caller, constants
// are weights, shapes are on the host. tensors.bytes must be filled.
//
// A tensor is live from the first layer of the shown profile that touches it to the last, in
// execution order; all layers that write one tensor count as one, and what a no-op reads and writes
// is one memory under several names. Branches and loops are treated as listed: a tensor that a
// later iteration of a loop reads again is not held longer for it.
//
// With several streams layers run side by side, so the peak is an upper bound. Layers of one stream
// run in order; those of two streams are ordered by the signals and waits between them, and where
// one reads what another writes. For each layer: what is live in its own stream, plus for each
// other stream the most that can be live there at any point that this order allows while the layer
// runs. A tensor belongs to the stream that touches it first and is live there until that stream
// knows that all readers are done.
//
// Cost: O((layers + ports) · streams), besides a binary search for each port that reads across
// streams.
LivePeak live_peak(const model::PlanModel& model);

// The life of one memory; with several names, under the largest.
struct LiveRange {
  model::TensorId tensor;
  std::int64_t bytes = 0;
  model::LayerId first, last;  // that touch it under any name, in execution order
};

struct LiveTimeline {
  LivePeak peak;
  // Bytes live while each layer runs, by layer; 0 for those that are not shown. The maximum is
  // peak.bytes. Empty where the peak is not known.
  std::vector<std::int64_t> live_bytes;
  // All memories that are counted and have a size above 0, by tensor. On one stream, what is live
  // at a layer is the sum of those whose life includes it.
  std::vector<LiveRange> ranges;
  // All that is live at the peak, greatest first, then by tensor: peak.contributors and those after
  // them.
  std::vector<LiveRange> at_peak;
  // The memory that each tensor is in: the largest of its names; itself where it has one name.
  std::vector<model::TensorId> memory_of;
};

// live_peak() with its components, by the same definition. Cost: the same.
LiveTimeline live_timeline(const model::PlanModel& model);

}  // namespace planex::analyze
