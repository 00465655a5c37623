// What `planex summary --timing` and the report show of an engine's times beside its summary.
#ifndef PLANEX_ANALYZE_EXPLAIN_TIMING_H_
#define PLANEX_ANALYZE_EXPLAIN_TIMING_H_

#include <vector>

#include "analyze/explain/waterfall.h"
#include "analyze/summary.h"
#include "analyze/timing_samples.h"

namespace planex::analyze {

struct TimingExplanation {
  TimingSamples samples;
  std::vector<WaterfallStep> waterfall;
};

// Cost: that of timing_samples().
TimingExplanation explain_timing(const model::PlanModel& model, const Summary& summary);

}  // namespace planex::analyze

#endif  // PLANEX_ANALYZE_EXPLAIN_TIMING_H_
