#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/fields/blocks.h"
#include "render/html/explain_data.h"
#include "render/html/table_writer.h"
#include "render/json/record_json.h"

namespace planex::render {

using analyze::AttentionBlock;
using analyze::OpaqueBlock;

void write_blocks_data(JsonWriter& json, const analyze::Blocks& blocks, StringTable& strings) {
  json.begin_object().member("schema", "planex.report-blocks/2");
  write_members(json, blocks_head_fields(), blocks);
  json.key("attention");
  const std::vector<AttentionBlock>& attention = blocks.attention;
  TableWriter found(json, strings, attention.size());
  found.list("layer_ids", [&](std::size_t i) {
    std::vector<std::int64_t> ids;
    for (const model::LayerId layer : attention[i].layers) {
      ids.push_back(static_cast<std::int64_t>(layer.index()));
    }
    return ids;
  });
  found.text("evidence", [&](std::size_t i) { return to_string(attention[i].evidence); });
  found.text("evidence_text",
             [&](std::size_t i) { return std::string_view(attention[i].evidence_text); });
  found.finish();
  json.key("opaque");
  const std::vector<OpaqueBlock>& opaque = blocks.opaque;
  TableWriter table(json, strings, opaque.size());
  table.integer("layer_id", [&](std::size_t i) {
    return std::optional(static_cast<std::int64_t>(opaque[i].layer.index()));
  });
  table.integer("operation_count",
                [&](std::size_t i) { return std::optional(opaque[i].operation_count); });
  table.text("first", [&](std::size_t i) { return std::string_view(opaque[i].first); });
  table.text("last", [&](std::size_t i) { return std::string_view(opaque[i].last); });
  table.texts("part_types", [&](std::size_t i) {
    std::vector<std::string> types;
    for (const OpaqueBlock::Part& part : opaque[i].parts) types.push_back(part.type);
    return types;
  });
  table.list("part_counts", [&](std::size_t i) {
    std::vector<std::int64_t> counts;
    for (const OpaqueBlock::Part& part : opaque[i].parts) counts.push_back(part.count);
    return counts;
  });
  table.finish();
  json.end_object();
}

}  // namespace planex::render
