// Which optimization profile the times of whole inferences belong to.
#pragma once

#include <cstdint>
#include <optional>

#include "model/plan_model.h"

namespace planex::analyze {

struct MeasuredProfile {
  // Null where the engine has only one profile, and where the files contain runs of several.
  std::optional<std::int64_t> index;
  // No file records it, so it is the default profile.
  bool is_default = false;
  // Whether the times belong to the profile that is shown.
  bool is_shown = true;
};

// From trtexec's options; else the profile whose layers were timed; else the first, which trtexec
// runs by default.
MeasuredProfile measured_profile(const model::PlanModel& model);

}  // namespace planex::analyze
