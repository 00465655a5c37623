// How documents say what to do about an engine (model/action.h).
#pragma once

#include "model/action.h"
#include "model/plan_model.h"
#include "record/fields.h"

namespace planex::render {

const record::Fields<model::Action, model::PlanModel>& action_fields();

// "What to do, …": the same list in every document.
inline constexpr std::string_view kActionsDescription =
    "What to do, in this order: one edit or one option each. Times of layers count once across all "
    "of them, so every total is a sum of these.";

}  // namespace planex::render
