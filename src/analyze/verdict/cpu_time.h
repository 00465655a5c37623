// CPU time per inference, which other programs on the same processor hardly change.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyze/verdict/verdict.h"
#include "model/plan_model.h"

namespace planex::analyze {

// For the timed inferences of a run on a processor: user plus system time of all its threads,
// divided by their number. Null where the times file does not have it.
std::optional<CpuTime> cpu_time_of(const model::PlanModel& model);

// Geometric mean over the candidate's runs ÷ that over the base's − 1; null where a run has no CPU
// time, or runs differ in their number of threads.
std::optional<double> cpu_time_change(std::span<const MeasuredRun> base,
                                      std::span<const MeasuredRun> candidate);

// Whether CPU time says more than wall-clock times: a machine was busy, and all runs have one
// thread, which only computes. Threads that wait for each other spin.
bool goes_by_cpu_time(std::span<const MeasuredRun> base, std::span<const MeasuredRun> candidate);

// The same runs with their CPU time per inference. It is one figure per run, without samples: the
// spread of runs is the only error.
std::vector<MeasuredRun> by_cpu_time(std::span<const MeasuredRun> runs);

}  // namespace planex::analyze
