// What the documents about blocks say (analyze/explain/blocks.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/explain/blocks.h"
#include "record/fields.h"

namespace planex::render {

// A block of any kind, or the rest: a row of the table.
struct BlockRow {
  std::string_view kind;
  std::string name;
  std::optional<bool> is_nested;
  std::optional<std::int64_t> instance_count;
  std::int64_t layer_count = 0;
  std::optional<double> time_ms, share;
  std::optional<double> instance_min_ms, instance_median_ms, instance_max_ms, spread;
  std::string evidence;
};

// The rows of kind `repeated` that are not nested and the one of kind `rest` add up to all layers.
std::vector<BlockRow> block_rows(const model::PlanModel& model, const analyze::Blocks& blocks);
// "MatMul × 5, Softmax"; empty where nothing is known.
std::string parts_text(const analyze::OpaqueBlock& block);

const record::Fields<BlockRow>& block_row_fields();
// Everything except attention and opaque layers.
const record::Fields<analyze::Blocks>& blocks_head_fields();
// planex.explain-blocks/2
const record::Document<analyze::Blocks, model::PlanModel>& blocks_document();

}  // namespace planex::render
