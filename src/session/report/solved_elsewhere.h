// Findings of one engine that a compared one does not have in the same place, and what that place
// takes there: an estimate is only an estimate, this was measured.
#pragma once

#include <span>
#include <vector>

#include "analyze/compare/compare.h"
#include "lint/run.h"
#include "render/html/report_html.h"

namespace planex::session {

// For each engine those of its findings that are solved in another one, by finding, then engine.
// `reports` are of the comparison's engines. Said only where it is sure: both engines ran on the
// same device with the same batch size and have times of the same kind; the rule ran there, too,
// and found nothing in the place; the place is known by names or source operations, not guessed
// from shapes or order. Only the first engine is compared with others, so of two others nothing is
// said.
// Cost: O(findings + layers) for each engine.
std::vector<std::vector<render::SolvedElsewhere>> solved_elsewhere(
    const analyze::Comparison& comparison, std::span<const lint::LintReport* const> reports);

}  // namespace planex::session
