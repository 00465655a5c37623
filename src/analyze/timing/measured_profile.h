// Of which optimization profile the times of whole inferences are.
#pragma once

#include <cstdint>
#include <optional>

#include "model/plan_model.h"

namespace planex::analyze {

struct MeasuredProfile {
  // Null where the engine has but one profile, and where the files have runs of several.
  std::optional<std::int64_t> index;
  // No file tells, so it is the one that runs by default.
  bool is_default = false;
  // Whether the times are of the profile that is shown.
  bool is_shown = true;
};

// As trtexec's options say; else the profile whose layers were timed; else the first, which runs
// unless trtexec is told otherwise.
MeasuredProfile measured_profile(const model::PlanModel& model);

}  // namespace planex::analyze
