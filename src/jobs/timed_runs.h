// Models that are built and timed here with OpenVINO, in turns, so that whatever slows the machine
// slows all of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "jobs/job.h"
#include "jobs/shop.h"

namespace planex::jobs {

// --timed: the run that gains and costs are estimated from.
#define PLANEX_TIMED_OPTION(OPTION)                                                      \
  OPTION(std::string, timed, {}, "timed", "RUN",                                         \
         "A run of this model with times per layer, from planex process", .reads = true, \
         .python = "engine")

struct TimedRun {
  std::string model;
  // In the shop's folder.
  std::string name;
  int threads = 1;
  // Only the inference times are used: layers are profiled briefly.
  bool is_brief = true;
};

// Builds and measures; returns the engine's file. Errors: those of drive::process().
Result<std::string> time_model(const TimedRun& run, const Shop& shop, const Context& context);

}  // namespace planex::jobs
