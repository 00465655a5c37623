#include "render/json/explain_blocks_json.h"

namespace planex::render {
namespace {

using analyze::AttentionBlock;
using analyze::Blocks;
using analyze::OpaqueBlock;
using analyze::OutlierInstance;
using analyze::RepeatedBlock;
using model::PlanModel;

void write_repeated(JsonWriter& json, const RepeatedBlock& block) {
  json.begin_object()
      .member("name", block.name)
      .member("path", block.path)
      .member("is_nested", block.is_nested)
      .member("instance_count", block.instance_count)
      .member("layer_count", block.layer_count)
      .member("time_ms", block.time_ms)
      .member("share", block.share)
      .member("instance_min_ms", block.instance_min_ms)
      .member("instance_median_ms", block.instance_median_ms)
      .member("instance_max_ms", block.instance_max_ms)
      .member("spread", block.spread);
  json.key("outliers").begin_array();
  for (const OutlierInstance& turn : block.outliers) {
    json.begin_object()
        .member("name", turn.name)
        .member("time_ms", turn.time_ms)
        .member("ratio", turn.ratio)
        .member("has_other_shape", turn.has_other_shape)
        .end_object();
  }
  json.end_array().end_object();
}

void write_attention(JsonWriter& json, const AttentionBlock& block) {
  json.begin_object().key("layer_ids").begin_array();
  for (const model::LayerId layer : block.layers) json.value(layer.index());
  json.end_array()
      .member("evidence", to_string(block.evidence))
      .member("evidence_text", block.evidence_text)
      .member("time_ms", block.time_ms)
      .member("share", block.share)
      .end_object();
}

void write_opaque(JsonWriter& json, const PlanModel& model, const OpaqueBlock& block) {
  json.begin_object()
      .member("layer_id", block.layer.index())
      .member("layer", model.text(model.layers.name[block.layer.index()]))
      .member("time_ms", block.time_ms)
      .member("share", block.share)
      .member("operation_count", block.operation_count);
  json.text_member("first", block.first);
  json.text_member("last", block.last);
  json.key("parts").begin_array();
  for (const OpaqueBlock::Part& part : block.parts) {
    json.begin_object().member("type", part.type).member("count", part.count).end_object();
  }
  json.end_array().end_object();
}

}  // namespace

void write_blocks_head(JsonWriter& json, const Blocks& blocks) {
  json.text_member("basis", to_string(blocks.basis));
  json.key("total")
      .begin_object()
      .member("layer_count", blocks.layer_count)
      .member("layers_in_blocks", blocks.layers_in_blocks)
      .member("rest_count", blocks.rest_count)
      .member("layers_time_ms", blocks.layers_ms)
      .member("others_ms", blocks.others_ms)
      .member("time_ms", blocks.time_ms)
      .member("in_blocks_ms", blocks.in_blocks_ms)
      .member("rest_ms", blocks.rest_ms)
      .member("attention_ms", blocks.attention_ms)
      .member("opaque_ms", blocks.opaque_ms)
      .end_object();
  json.key("repeated").begin_array();
  for (const RepeatedBlock& block : blocks.repeated) write_repeated(json, block);
  json.end_array();
}

void write_explain_blocks(JsonWriter& json, const PlanModel& model, const Blocks& blocks) {
  json.begin_object()
      .member("schema", "planex.explain-blocks/2")
      .member("engine", model.text(model.engine.name[0]));
  write_blocks_head(json, blocks);
  json.key("attention").begin_array();
  for (const AttentionBlock& block : blocks.attention) write_attention(json, block);
  json.end_array().key("opaque").begin_array();
  for (const OpaqueBlock& block : blocks.opaque) write_opaque(json, model, block);
  json.end_array().end_object();
}

std::string explain_blocks_json(const PlanModel& model, const Blocks& blocks) {
  JsonWriter json(JsonStyle::kPretty);
  write_explain_blocks(json, model, blocks);
  return json.take() + "\n";
}

}  // namespace planex::render
