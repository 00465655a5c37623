// What the builder tried and chose, in sentences that terminal, documents and page share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze/compare/tactics.h"
#include "analyze/explain/tactics.h"
#include "model/plan_model.h"

namespace planex::render {

// What was tried, how close choices were, what was skipped, what took the time; without tactics,
// how to get a log that has them.
std::vector<std::string> tactic_sentences(const model::PlanModel& model,
                                          const analyze::TacticExplanation& explanation);

// A time with the unit that fits, short ones to a hundredth of a microsecond or in ns: "41 ns",
// "2.07 µs", "183 µs".
std::string tactic_time_text(double ms);

// "0.2 µs (3.1 %)"; a dash where there is none.
std::string margin_text(const std::optional<double>& ms, const std::optional<double>& share);

// Where two builds chose different kernels: how many, and by how little where the candidates were
// the same.
std::string tactic_difference_text(const analyze::TacticDifferences& differences);

// The phase that took half of the build or more; null if none is known to have.
const analyze::BuildPhase* main_phase(const analyze::BuildTime& build);
// "5.69 s; 85.6 % of it is selection of formats and tactics".
std::string build_time_text(const analyze::BuildTime& build);
// For a long build: a clause on how to make the next one shorter; empty if nothing is known to.
std::string build_time_advice(const model::PlanModel& model, const analyze::BuildTime& build);

// "timing of layers" for the word of a phase.
std::string phase_text(std::string_view phase);

}  // namespace planex::render
