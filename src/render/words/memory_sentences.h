// What is said of the memory timeline in words: the same in the terminal, JSON, Markdown and the
// report.
#pragma once

#include <string>
#include <vector>

#include "analyze/explain/memory_timeline.h"
#include "model/plan_model.h"
#include "render/words/sentences.h"

namespace planex::render {

// Clauses without a full stop, the peak first. Of every engine: where the peak is not known, why.
std::vector<std::string> peak_sentences(const model::PlanModel& model,
                                        const analyze::MemoryTimeline& timeline);
// What is held beside activations, and what the builder says; empty where nothing is known.
std::string other_memory_text(const analyze::MemoryTimeline& timeline);
// What would lower the peak; empty where nothing can be said.
std::string peak_advice(const model::PlanModel& model, const analyze::MemoryTimeline& timeline);
// All of it but what is beside, in sentences.
Conclusion memory_conclusion(const model::PlanModel& model,
                             const analyze::MemoryTimeline& timeline);

// A name as sentences quote it: printable and cut in its middle.
std::string name_in_sentence(std::string_view name);

}  // namespace planex::render
