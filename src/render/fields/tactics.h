// `planex explain tactics` as documents and tables.
#pragma once

#include "analyze/compare/tactics.h"
#include "analyze/explain/tactics.h"
#include "record/fields.h"

namespace planex::render {

using TacticFields = record::Fields<analyze::TacticExplanation, model::PlanModel>;

// A layer with its choice and runner-up, without lists: a row of a table.
const record::Fields<analyze::LayerTactics, model::PlanModel>& tactic_row_fields();
// Everything but the engine's name.
const TacticFields& tactics_fields();
// How long building took: a part of the summary, too.
const record::Fields<analyze::BuildTime>& build_time_fields();
// Where two builds chose differently.
const record::Fields<analyze::TacticDifferences>& tactic_differences_fields();
// planex.explain-tactics/1
const record::Document<analyze::TacticExplanation, model::PlanModel>& tactics_document();

}  // namespace planex::render
