// What the summary says (analyze/summary.h).
#pragma once

#include "analyze/reproduce/missing_pieces.h"
#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "record/fields.h"

namespace planex::render {

// planex.summary/2
const record::Document<analyze::Summary, model::PlanModel>& summary_document();

// Findings by severity.
const record::Fields<analyze::FindingCounts>& finding_counts_fields();

// A file that would add information.
const record::Fields<analyze::MissingPiece>& missing_piece_fields();

}  // namespace planex::render
