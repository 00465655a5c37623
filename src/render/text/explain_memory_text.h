// Which memory an engine uses when: `planex explain memory`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyze/explain/memory_timeline.h"
#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

enum class MemoryDetail : std::uint8_t { kMax, kAll };  // the contributors that matter, or each

// A timeline as columns over execution, the fullest frame of each; a line of axis below.
std::vector<std::string> timeline_lines(std::span<const analyze::TimelineFrame> frames,
                                        std::size_t columns, std::size_t rows);

std::string explain_memory_text(const model::PlanModel& model,
                                const analyze::MemoryTimeline& timeline, MemoryDetail detail,
                                const TableStyle& style);
std::string explain_memory_markdown(const model::PlanModel& model,
                                    const analyze::MemoryTimeline& timeline, MemoryDetail detail);

}  // namespace planex::render
