// The reconciliation as steps that add up: from the layers' times to the time of a whole inference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/summary/summary.h"
#include "analyze/timing/timing_samples.h"

namespace planex::analyze {

enum class WaterfallKind : std::uint8_t {
  kType,         // layers of one type that do work
  kOthers,       // records that do no work and have a time
  kLayers,       // a sum from 0: Σ layers
  kBetween,      // what the profiled inferences took beyond their layers, or less than them
  kProfiled,     // a sum from 0: the median of the profiled inferences
  kOverhead,     // cost of timing each layer
  kUnexplained,  // the rest, where nothing shows which of the two it is
  kEndToEnd,     // a sum from 0: the end-to-end median
  kToDevice,     // transfers, for times whose end to end is compute
  kFromDevice,
  kRest,     // medians do not add up
  kLatency,  // a sum from 0
};
std::string_view to_string(WaterfallKind kind);
// Those that start at 0 again.
bool is_sum(WaterfallKind kind);

// A step starts where the previous one ended; the next one starts at its end.
struct WaterfallStep {
  WaterfallKind kind = WaterfallKind::kType;
  std::string type;                             // of kType
  model::Family family = model::Family::kNull;  // of kType
  // Layers: of the type (kType); timed ones (kLayers, kOverhead). Null for others.
  std::optional<std::int64_t> count;
  double from_ms = 0, to_ms = 0;
};

// Times of layers are those of Reconciliation::basis. Empty where there are none; without an end to
// end, it ends with Σ layers. Types by time, the longest first.
std::vector<WaterfallStep> waterfall(const Summary& summary, const TimingSamples& samples);

}  // namespace planex::analyze
