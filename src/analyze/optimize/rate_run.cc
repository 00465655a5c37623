#include "analyze/optimize/rate_run.h"

namespace planex::analyze {

MeasuredRun rate_run(const MeasuredRun& run, double throughput_per_s) {
  constexpr double kMsPerSecond = 1000;
  const double ms = kMsPerSecond / throughput_per_s;
  MeasuredRun rate = run;
  rate.source = TimeSource::kSamples;
  rate.field = "throughput";
  rate.median_ms = rate.median_low_ms = rate.median_high_ms = rate.located_ms = ms;
  rate.step_ms.reset();
  rate.steadiness = Steadiness::kSteady;
  // Inferences overlap more on one side, which is what is tried.
  rate.concurrent = 1;
  // All threads are meant to be busy.
  rate.cpu_time.reset();
  rate.levels = {{.median_ms = ms, .low_ms = ms, .high_ms = ms}};
  return rate;
}

}  // namespace planex::analyze
