// `planex explain tactics` for the terminal and Markdown.
#pragma once

#include <string>

#include "analyze/explain/tactics.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

struct TacticsView {
  bool all = false;        // every layer, not only the closest choices
  bool is_chosen = false;  // layers were selected by name: with formats and candidates
};

std::string explain_tactics_text(const model::PlanModel& model,
                                 const analyze::TacticExplanation& explanation,
                                 const TacticsView& view, const TableStyle& style);
std::string explain_tactics_markdown(const model::PlanModel& model,
                                     const analyze::TacticExplanation& explanation,
                                     const TacticsView& view);

}  // namespace planex::render
