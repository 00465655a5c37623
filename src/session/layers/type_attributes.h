// The attributes that get a column when the layers of one type are listed.
#pragma once

#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::session {

// Keys that layers of this type have, as written in the file: for well-known types a selection in a
// fixed order, for others all keys in the order of the file, at most kMaxAttributes.
inline constexpr std::size_t kMaxAttributes = 24;
std::vector<std::string_view> attribute_keys(const model::PlanModel& model, std::string_view type);

}  // namespace planex::session
