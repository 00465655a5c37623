// CPU time per inference, which programs that take a processor from one another hardly change.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyze/verdict/verdict.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Of the timed inferences of a run on a processor: in user and system, of all its threads, divided
// by their number. Null where the times file does not have it.
std::optional<CpuTime> cpu_time_of(const model::PlanModel& model);

// Geometric mean over the candidate's runs ÷ that over the base's − 1; null where a run has no CPU
// time, or runs differ in their number of threads.
std::optional<double> cpu_time_change(std::span<const MeasuredRun> base,
                                      std::span<const MeasuredRun> candidate);

// Whether CPU time says more than times on the wall do: a machine was busy, and all runs have one
// thread, which does nothing but compute. Threads that wait for each other spin.
bool goes_by_cpu_time(std::span<const MeasuredRun> base, std::span<const MeasuredRun> candidate);

// The same runs by their CPU time per inference. It is one figure a run, without samples: what runs
// differ by is all there is of an error.
std::vector<MeasuredRun> by_cpu_time(std::span<const MeasuredRun> runs);

}  // namespace planex::analyze
