// What an engine is made of, block by block: `planex explain blocks`.
#pragma once

#include <cstdint>
#include <string>

#include "analyze/explain/blocks.h"
#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

enum class BlocksDetail : std::uint8_t { kMax, kAll };

std::string explain_blocks_text(const model::PlanModel& model, const analyze::Blocks& blocks,
                                BlocksDetail detail, const TableStyle& style);
std::string explain_blocks_markdown(const model::PlanModel& model, const analyze::Blocks& blocks,
                                    BlocksDetail detail);

}  // namespace planex::render
