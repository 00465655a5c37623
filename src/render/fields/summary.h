// What the summary says (analyze/summary.h).
#pragma once

#include "analyze/reproduce/missing_pieces.h"
#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "record/fields.h"

namespace planex::render {

// planex.summary/2
const record::Document<analyze::Summary, model::PlanModel>& summary_document();

// Layers that share a type, or a precision.
const record::Fields<analyze::Group>& type_group_fields();
const record::Fields<analyze::Group>& precision_group_fields();

// Findings by severity.
const record::Fields<analyze::FindingCounts>& finding_counts_fields();

// A file that would add information.
const record::Fields<analyze::MissingPiece>& missing_piece_fields();

}  // namespace planex::render
