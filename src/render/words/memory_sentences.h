// Sentences about the memory timeline: the same in the terminal, JSON, Markdown and the report.
#pragma once

#include <string>
#include <vector>

#include "analyze/explain/memory_timeline.h"
#include "model/plan_model.h"
#include "render/words/sentences.h"

namespace planex::render {

// Clauses without a full stop, the peak first. For every engine: if the peak is unknown, they say
// why.
std::vector<std::string> peak_sentences(const model::PlanModel& model,
                                        const analyze::MemoryTimeline& timeline);
// Memory other than activations, and what the builder reserves; empty if nothing is known.
std::string other_memory_text(const analyze::MemoryTimeline& timeline);
// What would lower the peak; empty if nothing is known to.
std::string peak_advice(const model::PlanModel& model, const analyze::MemoryTimeline& timeline);
// All of this except the other memory, in sentences.
Conclusion memory_conclusion(const model::PlanModel& model,
                             const analyze::MemoryTimeline& timeline);

// A name as sentences quote it: printable and cut in its middle.
std::string name_in_sentence(std::string_view name);

}  // namespace planex::render
