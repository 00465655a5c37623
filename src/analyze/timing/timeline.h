// One inference on a time axis: each layer at its earliest possible start, stream by stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/timing/exact_time.h"
#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

struct TimelineSlice {
  model::LayerId layer;
  std::uint32_t track = 0;  // index into Timeline::streams
  // In whole nanoseconds, rounded up: viewers have no finer resolution, and drop slices that
  // overlap by a fraction of one. So on a long track, starts are up to a nanosecond late per layer.
  Femtoseconds start = 0;
  Femtoseconds duration = 0;  // as measured
};

struct Timeline {
  TimeBasis basis = TimeBasis::kNone;
  // The engine's own numbers, by their first layer; a layer without a stream is on stream 0.
  std::vector<std::int64_t> streams;
  // In execution order. On each track they follow one another without overlap.
  std::vector<TimelineSlice> slices;
  // The sum of all durations, which is Σ layers; null where no layer has a time.
  std::optional<Femtoseconds> total;
  // When the last layer ends, without the rounding of starts: less than the total where streams run
  // side by side.
  Femtoseconds end = 0;
  // Layers that do work and have no time; records whose time is negative, which cannot be placed on
  // an axis.
  std::int64_t without_time = 0, negative = 0;
  // Whether layers of one stream wait for those of others: false where the engine has more streams
  // than can be ordered, and each runs independently.
  bool is_ordered = true;
};

// A layer starts when the one before it on its stream has ended, and all layers of other streams
// that certainly precede it (stream_order.h). So gaps on a track are waits, without the launch
// overhead of a real run. The times are those of the profile, one layer at a time. Cost: O((layers
// + ports) · streams).
Timeline timeline_of(const model::PlanModel& model, TimeBasis basis);

}  // namespace planex::analyze
