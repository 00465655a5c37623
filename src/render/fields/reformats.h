// What the documents about conversions say (analyze/explain/reformats.h).
#pragma once

#include "analyze/reformats/reformats.h"
#include "record/fields.h"

namespace planex::render {

// One conversion as a row of the table: ends and neighbors as texts.
const record::Fields<analyze::ReformatRow, model::PlanModel>& reformat_row_fields();
// Sums over conversions.
const record::Fields<analyze::ReformatExplanation>& reformat_totals_fields();
// planex.explain-reformats/2
const record::Document<analyze::ReformatExplanation, model::PlanModel>& reformats_document();

}  // namespace planex::render
