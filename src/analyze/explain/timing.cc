#include "analyze/explain/timing.h"

namespace planex::analyze {

TimingExplanation explain_timing(const model::PlanModel& model, const Summary& summary) {
  TimingExplanation timing{.samples = timing_samples(model, summary.steady_state), .waterfall = {}};
  timing.waterfall = waterfall(summary, timing.samples);
  return timing;
}

}  // namespace planex::analyze
