// Runs that are compared by their throughput in place of the time of an inference.
#pragma once

#include "analyze/verdict/verdict.h"

namespace planex::analyze {

// The run with 1000 ÷ throughput as its time: ms per inference while several run at once, > 0. A
// throughput has no samples; how it differs is seen between runs alone, so within the run it counts
// as exact.
MeasuredRun rate_run(const MeasuredRun& run, double throughput_per_s);

}  // namespace planex::analyze
