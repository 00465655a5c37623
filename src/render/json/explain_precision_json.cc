#include "render/json/explain_precision_json.h"

#include "render/json/explain_json.h"

namespace planex::render {
namespace {

using analyze::LayerTotals;
using analyze::PrecisionExplanation;
using analyze::PrecisionIsland;
using model::PlanModel;

void write_cell(JsonWriter& json, const analyze::PrecisionCell& cell) {
  json.begin_object();
  json.text_member("from", to_string(cell.from));
  json.text_member("to", to_string(cell.to));
  const auto totals = [&](std::string_view key, const LayerTotals& value) {
    json.key(key);
    write_totals(json, value);
  };
  totals("all", cell.all);
  totals("conversions", cell.conversions);
  totals("matrix", cell.matrix);
  totals("others", cell.others);
  json.end_object();
}

void write_island(JsonWriter& json, const PlanModel& model, const PrecisionIsland& island) {
  json.begin_object()
      .member("ends", to_string(island.ends))
      .member("tensor", model.text(model.tensors.name[island.root.index()]));
  json.text_member("dtype", to_string(island.root_type));
  json.key("writer");
  if (island.root_writer.is_null()) {
    json.null();
  } else {
    json.begin_object();
    write_layer_members(json, model, island.root_writer);
    json.end_object();
  }
  json.member("tensor_count", island.tensor_count).key("layers").begin_array();
  for (const analyze::IslandLayer& entry : island.layers) {
    json.begin_object();
    write_layer_members(json, model, entry.layer);
    json.member("role", to_string(entry.role));
    json.text_member("from", to_string(model.layers.precision[entry.layer.index()]));
    json.text_member("to", to_string(model.layers.output_precision[entry.layer.index()]));
    json.end_object();
  }
  json.end_array().key("totals");
  write_totals(json, island.all);
  json.key("conversions");
  write_totals(json, island.conversions);
  json.member("wide_bytes", island.wide_bytes)
      .member("narrow_bytes", island.narrow_bytes)
      .end_object();
}

}  // namespace

void write_precision_head(JsonWriter& json, const PrecisionExplanation& explanation) {
  json.text_member("time_basis", to_string(explanation.basis));
  json.member("layers_time_ms", explanation.layers_ms).key("totals").begin_object();
  const auto totals = [&](std::string_view key, const LayerTotals& value) {
    json.key(key);
    write_totals(json, value);
  };
  totals("all", explanation.all);
  totals("changing", explanation.changing);
  totals("in_islands", explanation.in_islands);
  totals("outside_islands", explanation.outside);
  json.end_object().key("transitions").begin_array();
  for (const analyze::PrecisionCell& cell : explanation.cells) write_cell(json, cell);
  json.end_array().member("island_base", to_string(explanation.base));
}

void write_explain_precision(JsonWriter& json, const PlanModel& model,
                             const PrecisionExplanation& explanation) {
  json.begin_object()
      .member("schema", "planex.explain-precision/1")
      .member("engine", model.text(model.engine.name[0]));
  write_precision_head(json, explanation);
  json.key("islands").begin_array();
  for (const PrecisionIsland& island : explanation.islands) write_island(json, model, island);
  json.end_array().end_object();
}

std::string explain_precision_json(const PlanModel& model,
                                   const PrecisionExplanation& explanation) {
  JsonWriter json(JsonStyle::kPretty);
  write_explain_precision(json, model, explanation);
  return json.take() + "\n";
}

}  // namespace planex::render
