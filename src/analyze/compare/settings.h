// What two engines were asked for: a change of time is of the engine only where these are alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/align/alignment.h"
#include "model/plan_model.h"

namespace planex::analyze {

struct SettingDifference {
  std::string_view key;    // permanent id: threads
  std::string_view label;  // in words
  std::string a, b;
};

// Device, batch, threads, streams and precision (asked for and got), where both engines' files tell
// and they differ. Cost: O(metadata).
std::vector<SettingDifference> setting_differences(const model::PlanModel& a,
                                                   const model::PlanModel& b);

// A precision that was asked for, and another one that the engine runs in instead.
struct UnmetPrecision {
  std::string_view asked, used;
};
// Null where the files tell neither. Cost: O(metadata).
std::optional<UnmetPrecision> unmet_precision(const model::PlanModel& model);

// Whether so few layers match that the engines are of different models: by the layers of the
// smaller engine. False where an engine has hardly any layers. Cost: O(matches).
bool are_unrelated(const Alignment& alignment);

}  // namespace planex::analyze
