// Findings of one engine that a compared one does not have in the same place, and the time of that
// place in the compared one: a measurement instead of an estimate.
#pragma once

#include <span>
#include <vector>

#include "analyze/compare/compare.h"
#include "lint/run.h"
#include "render/html/report_html.h"

namespace planex::session {

// For each engine, its findings that are solved in another one, by finding, then engine. `reports`
// belong to the comparison's engines. Reported only where it is certain: both engines ran on the
// same device with the same batch size and have times of the same kind; the rule ran there, too,
// and found nothing in the place; the place is known by names or source operations, not guessed
// from shapes or order. Only the first engine is compared with others, so nothing is reported about
// two others.
// Cost: O(findings + layers) per engine.
std::vector<std::vector<render::SolvedElsewhere>> solved_elsewhere(
    const analyze::Comparison& comparison, std::span<const lint::LintReport* const> reports);

}  // namespace planex::session
