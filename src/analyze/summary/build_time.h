// Time that building an engine took, from the log of its build.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

struct BuildPhase {
  std::string_view phase;   // permanent word
  std::string_view within;  // the phase that it is part of, or empty
  double seconds = 0;
  std::optional<double> share;  // of the whole build
};

struct BuildTime {
  std::optional<double> build_s;
  // Phases that are part of no other: their sum and its share of the build.
  std::optional<double> accounted_s, accounted_share;
  std::vector<BuildPhase> phases;
};

// Builds longer than this are long: the summary then says how to shorten the next one.
inline constexpr double kLongBuild_s = 60;

// Empty where no log records it. Cost: O(choices + metadata).
BuildTime find_build_time(const model::PlanModel& model);

}  // namespace planex::analyze
