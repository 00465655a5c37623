// Build and run settings of two engines: a change of time is due to the engine only where these are
// the same.
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

// Device, batch, threads, streams and precision (requested and actual), where both engines' files
// record them and they differ. Cost: O(metadata).
std::vector<SettingDifference> setting_differences(const model::PlanModel& a,
                                                   const model::PlanModel& b);

// A precision that was requested, and the different one that the engine runs in.
struct UnmetPrecision {
  std::string_view asked, used;
};
// Null where the files record neither. Cost: O(metadata).
std::optional<UnmetPrecision> unmet_precision(const model::PlanModel& model);

// Whether so few layers match that the engines come from different models: by the layers of the
// smaller engine. False where an engine has hardly any layers. Cost: O(matches).
bool are_unrelated(const Alignment& alignment);

}  // namespace planex::analyze
