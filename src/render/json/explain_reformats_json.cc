#include "render/json/explain_reformats_json.h"

#include "render/json/explain_json.h"
#include "render/reformat_sentences.h"

namespace planex::render {
namespace {

using analyze::ReformatExplanation;
using analyze::ReformatGroup;
using analyze::ReformatRow;
using model::PlanModel;

void write_neighbours(JsonWriter& json, const PlanModel& model, std::string_view key,
                      const std::vector<analyze::Neighbour>& neighbours) {
  json.key(key).begin_array();
  for (const analyze::Neighbour& neighbour : neighbours) {
    json.begin_object();
    write_layer_members(json, model, neighbour.layer);
    json.text_member("dtype", to_string(model.ports.dtype[neighbour.port]));
    json.text_member("layout", to_string(model.ports.layout[neighbour.port]));
    json.end_object();
  }
  json.end_array();
}

void write_row(JsonWriter& json, const PlanModel& model, const ReformatRow& row) {
  json.begin_object();
  write_layer_members(json, model, row.layer);
  json.member("kind", to_string(row.kind));
  json.text_member("origin", model.text(model.layers.origin[row.layer.index()]));
  const auto end = [&](std::string_view key, const std::optional<graph::PortRow>& port) {
    json.key(key);
    if (port) {
      write_end(json, model, *port);
    } else {
      json.null();
    }
  };
  end("from", row.from);
  end("to", row.to);
  json.text_member("from_dtype", to_string(row.from_type));
  json.text_member("to_dtype", to_string(row.to_type));
  json.key("differs").begin_array();
  if (row.type_differs) json.value("type");
  if (row.layout_differs) json.value("layout");
  if (row.strides_differ) json.value("strides");
  json.end_array();
  write_neighbours(json, model, "producers", row.producers);
  write_neighbours(json, model, "consumers", row.consumers);
  json.member("at_engine_input", row.at_engine_input)
      .member("at_engine_output", row.at_engine_output)
      .member("time_ms", row.time_ms)
      .member("share", row.share)
      .member("input_bytes", row.input_bytes)
      .member("output_bytes", row.output_bytes)
      .member("verdict", to_string(row.verdict));
  json.text_member("changed_by", to_string(row.changed_by));
  json.member("reason", to_string(row.reason)).member("cause", reformat_cause(model, row));
  json.member("advice", reformat_advice(model, row));
  json.text_member("io_format", row.io_format);
  json.key("cause_layer_id");
  if (row.cause_layer.is_null()) {
    json.null();
  } else {
    json.value(row.cause_layer.index());
  }
  json.key("tensors").begin_array();
  for (const model::TensorId tensor : row.tensors) {
    json.value(model.text(model.tensors.name[tensor.index()]));
  }
  json.end_array();
  json.member("worth_ms", row.worth_ms)
      .member("confidence", to_string(row.confidence))
      .member("group", row.group)
      .end_object();
}

void write_group(JsonWriter& json, const PlanModel& model, const ReformatExplanation& explanation,
                 const ReformatGroup& group) {
  json.begin_object().key("tensor");
  if (group.root.is_null()) {
    json.null();
  } else {
    json.value(model.text(model.tensors.name[group.root.index()]));
  }
  json.key("writer");
  if (group.writer.is_null()) {
    json.null();
  } else {
    json.begin_object();
    write_layer_members(json, model, group.writer);
    json.end_object();
  }
  json.key("layer_ids").begin_array();
  for (const std::size_t row : group.rows) json.value(explanation.rows[row].layer.index());
  json.end_array().key("totals");
  write_totals(json, group.totals);
  json.member("worth_ms", group.worth_ms).end_object();
}

}  // namespace

void write_reformat_totals(JsonWriter& json, const ReformatExplanation& explanation) {
  json.key("totals").begin_object();
  const auto totals = [&](std::string_view key, const analyze::LayerTotals& value) {
    json.key(key);
    write_totals(json, value);
  };
  totals("all", explanation.all);
  totals("avoidable", explanation.avoidable);
  totals("avoidable_in_model", explanation.by_model);
  totals("avoidable_by_caller", explanation.by_caller);
  totals("needed", explanation.needed);
  totals("unclear", explanation.unclear);
  json.end_object();
  json.key("by_kind").begin_array();
  for (std::size_t i = 0; i < explanation.by_kind.size(); ++i) {
    if (explanation.by_kind[i].count == 0) continue;
    json.begin_object().member("kind", to_string(static_cast<analyze::ConversionKind>(i)));
    totals("totals", explanation.by_kind[i]);
    json.end_object();
  }
  json.end_array();
  const auto words = [&](std::string_view key, std::string_view word,
                         const std::vector<analyze::ReformatsOfWord>& rows) {
    json.key(key).begin_array();
    for (const analyze::ReformatsOfWord& row : rows) {
      json.begin_object().text_member(word, row.word);
      totals("totals", row.totals);
      json.end_object();
    }
    json.end_array();
  };
  words("by_type", "type", explanation.by_type);
  words("by_origin", "origin", explanation.by_origin);
}

void write_explain_reformats(JsonWriter& json, const PlanModel& model,
                             const ReformatExplanation& explanation) {
  json.begin_object()
      .member("schema", "planex.explain-reformats/2")
      .member("engine", model.text(model.engine.name[0]));
  json.text_member("time_basis", to_string(explanation.basis));
  json.member("layers_time_ms", explanation.layers_ms)
      .member("unknown_count", explanation.unknown_count);
  write_reformat_totals(json, explanation);
  json.key("groups").begin_array();
  for (const ReformatGroup& group : explanation.groups) {
    write_group(json, model, explanation, group);
  }
  json.end_array().key("reformats").begin_array();
  for (const ReformatRow& row : explanation.rows) write_row(json, model, row);
  json.end_array().end_object();
}

std::string explain_reformats_json(const PlanModel& model, const ReformatExplanation& explanation) {
  JsonWriter json(JsonStyle::kPretty);
  write_explain_reformats(json, model, explanation);
  return json.take() + "\n";
}

}  // namespace planex::render
