// Timing data that `planex summary --timing` and the report show beside an engine's summary.
#pragma once

#include <vector>

#include "analyze/explain/waterfall.h"
#include "analyze/summary/summary.h"
#include "analyze/timing/timing_samples.h"

namespace planex::analyze {

struct TimingExplanation {
  TimingSamples samples;
  std::vector<WaterfallStep> waterfall;
};

// Cost: that of timing_samples().
TimingExplanation explain_timing(const model::PlanModel& model, const Summary& summary);

}  // namespace planex::analyze
