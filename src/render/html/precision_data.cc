#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "render/fields/common.h"
#include "render/fields/precision.h"
#include "render/fields/reformats.h"
#include "render/html/explain_data.h"
#include "render/html/table_writer.h"
#include "render/json/record_json.h"
#include "render/reformat_sentences.h"

namespace planex::render {
namespace {

using analyze::ConvolutionWindow;
using analyze::Neighbour;
using analyze::PointwiseLayer;
using analyze::PrecisionIsland;
using analyze::ReformatGroup;
using analyze::ReformatRow;
using model::PlanModel;

std::int64_t index(model::LayerId layer) { return static_cast<std::int64_t>(layer.index()); }

std::optional<std::int64_t> id_or_null(model::LayerId layer) {
  return layer.is_null() ? std::nullopt : std::optional(index(layer));
}

std::string_view name_or_empty(const PlanModel& model, model::TensorId tensor) {
  return tensor.is_null() ? std::string_view() : model.text(model.tensors.name[tensor.index()]);
}

// [layer, port, layer, port …]
std::vector<std::int64_t> pairs_of(const std::vector<Neighbour>& neighbours) {
  std::vector<std::int64_t> list;
  for (const Neighbour& neighbour : neighbours) {
    list.push_back(index(neighbour.layer));
    list.push_back(static_cast<std::int64_t>(neighbour.port));
  }
  return list;
}

std::string_view differs(const ReformatRow& row) {
  constexpr std::string_view kWords[] = {
      "",        "type",         "layout",         "type layout",
      "strides", "type strides", "layout strides", "type layout strides"};
  return kWords[(row.type_differs ? 1 : 0) + (row.layout_differs ? 2 : 0) +
                (row.strides_differ ? 4 : 0)];
}

// Times, shares and bytes are the layer's own, and what it is worth is its time where it is
// avoidable: the page has them in the table of layers.
void write_rows(JsonWriter& json, const PlanModel& model, const std::vector<ReformatRow>& rows,
                StringTable& strings) {
  TableWriter table(json, strings, rows.size());
  const auto word = [&](std::string_view name, const auto& value) {
    table.text(name, [&](std::size_t i) -> std::string_view { return value(rows[i]); });
  };
  table.integer("layer_id", [&](std::size_t i) { return std::optional(index(rows[i].layer)); });
  word("kind", [](const ReformatRow& row) { return to_string(row.kind); });
  const auto port = [&](std::string_view name, std::optional<graph::PortRow> ReformatRow::* end) {
    table.integer(name, [&](std::size_t i) {
      const auto& found = rows[i].*end;
      return found ? std::optional(static_cast<std::int64_t>(*found)) : std::nullopt;
    });
  };
  port("from_port", &ReformatRow::from);
  port("to_port", &ReformatRow::to);
  word("from_dtype", [](const ReformatRow& row) { return to_string(row.from_type); });
  word("to_dtype", [](const ReformatRow& row) { return to_string(row.to_type); });
  word("differs", [](const ReformatRow& row) { return differs(row); });
  table.list("producers", [&](std::size_t i) { return pairs_of(rows[i].producers); });
  table.list("consumers", [&](std::size_t i) { return pairs_of(rows[i].consumers); });
  table.flag("at_engine_input", [&](std::size_t i) { return rows[i].at_engine_input; });
  table.flag("at_engine_output", [&](std::size_t i) { return rows[i].at_engine_output; });
  word("verdict", [](const ReformatRow& row) { return to_string(row.verdict); });
  word("changed_by", [](const ReformatRow& row) { return to_string(row.changed_by); });
  word("reason", [](const ReformatRow& row) { return to_string(row.reason); });
  word("confidence", [](const ReformatRow& row) { return to_string(row.confidence); });
  table.made_text("cause", [&](std::size_t i) { return reformat_cause(model, rows[i]); });
  table.made_text("advice", [&](std::size_t i) { return reformat_advice(model, rows[i]); });
  word("io_format", [](const ReformatRow& row) { return std::string_view(row.io_format); });
  table.integer("cause_layer_id", [&](std::size_t i) { return id_or_null(rows[i].cause_layer); });
  table.texts("tensors", [&](std::size_t i) {
    std::vector<std::string> names;
    for (const model::TensorId tensor : rows[i].tensors) {
      names.emplace_back(name_or_empty(model, tensor));
    }
    return names;
  });
  table.integer("group", [&](std::size_t i) {
    return std::optional(static_cast<std::int64_t>(rows[i].group));
  });
  table.finish();
}

void write_totals_member(JsonWriter& json, std::string_view key,
                         const analyze::LayerTotals& totals) {
  json.key(key).begin_object();
  write_members(json, totals_fields(), totals);
  json.end_object();
}

void write_islands(JsonWriter& json, const PlanModel& model,
                   const std::vector<PrecisionIsland>& islands, StringTable& strings) {
  TableWriter table(json, strings, islands.size());
  table.text("ends", [&](std::size_t i) { return to_string(islands[i].ends); });
  table.text("tensor", [&](std::size_t i) { return name_or_empty(model, islands[i].root); });
  table.text("dtype", [&](std::size_t i) { return to_string(islands[i].root_type); });
  table.integer("writer_layer_id",
                [&](std::size_t i) { return id_or_null(islands[i].root_writer); });
  table.integer("tensor_count", [&](std::size_t i) {
    return std::optional(static_cast<std::int64_t>(islands[i].tensor_count));
  });
  table.list("layer_ids", [&](std::size_t i) {
    std::vector<std::int64_t> ids;
    for (const analyze::IslandLayer& entry : islands[i].layers) ids.push_back(index(entry.layer));
    return ids;
  });
  table.texts("roles", [&](std::size_t i) {
    std::vector<std::string> roles;
    for (const analyze::IslandLayer& entry : islands[i].layers) {
      roles.emplace_back(to_string(entry.role));
    }
    return roles;
  });
  table.integer("wide_bytes", [&](std::size_t i) { return islands[i].wide_bytes; });
  table.integer("narrow_bytes", [&](std::size_t i) { return islands[i].narrow_bytes; });
  table.finish();
}

}  // namespace

void write_reformats_data(JsonWriter& json, const PlanModel& model,
                          const analyze::ReformatExplanation& explanation, StringTable& strings) {
  json.begin_object().member("schema", "planex.report-reformats/2");
  json.text_member("time_basis", to_string(explanation.basis));
  json.member("layers_time_ms", explanation.layers_ms);
  write_members(json, reformat_totals_fields(), explanation);
  json.key("groups");
  const std::vector<ReformatGroup>& groups = explanation.groups;
  TableWriter table(json, strings, groups.size());
  table.text("tensor", [&](std::size_t i) { return name_or_empty(model, groups[i].root); });
  table.integer("writer_layer_id", [&](std::size_t i) { return id_or_null(groups[i].writer); });
  table.finish();
  json.key("reformats");
  write_rows(json, model, explanation.rows, strings);
  json.end_object();
}

void write_precision_data(JsonWriter& json, const PlanModel& model,
                          const analyze::PrecisionExplanation& explanation, StringTable& strings) {
  json.begin_object().member("schema", "planex.report-precision/1");
  write_members(json, precision_head_fields(), explanation);
  json.key("read_dtype");
  // By row of `layers`, where it is another than the layer's precision.
  const auto& reads = explanation.read_types;
  TableWriter table(json, strings, reads.size());
  table.integer("layer_id", [&](std::size_t i) { return std::optional(index(reads[i].layer)); });
  table.text("dtype", [&](std::size_t i) { return to_string(reads[i].type); });
  table.finish();
  json.key("islands");
  write_islands(json, model, explanation.islands, strings);
  json.end_object();
}

void write_pointwise_data(JsonWriter& json, const analyze::PointwiseExplanation& explanation,
                          StringTable& strings) {
  json.begin_object().member("schema", "planex.report-pointwise/1");
  json.text_member("time_basis", to_string(explanation.basis));
  json.member("layers_time_ms", explanation.layers_ms);
  write_totals_member(json, "all", explanation.all);
  write_totals_member(json, "unknown", explanation.unknown);
  json.key("groups").begin_array();
  for (const analyze::PointwiseGroup& group : explanation.groups) {
    json.begin_object().member("operation_count", group.operation_count);
    write_totals_member(json, "totals", group.totals);
    json.member("ms_per_operation", group.ms_per_operation).end_object();
  }
  json.end_array().key("layers");
  const std::vector<PointwiseLayer>& layers = explanation.layers;
  TableWriter table(json, strings, layers.size());
  table.integer("layer_id", [&](std::size_t i) { return std::optional(index(layers[i].layer)); });
  table.integer("operation_count",
                [&](std::size_t i) { return std::optional(layers[i].operation_count); });
  table.text("evidence", [&](std::size_t i) { return to_string(layers[i].evidence); });
  table.texts("operations", [&](std::size_t i) { return layers[i].operations; });
  table.finish();
  json.end_object();
}

void write_windows_data(JsonWriter& json, const std::vector<ConvolutionWindow>& windows,
                        StringTable& strings) {
  json.begin_object().member("schema", "planex.report-windows/1").key("layers");
  TableWriter table(json, strings, windows.size());
  table.integer("layer_id", [&](std::size_t i) { return std::optional(index(windows[i].layer)); });
  table.list("kernel", [&](std::size_t i) { return windows[i].kernel; });
  table.list("stride", [&](std::size_t i) { return windows[i].stride; });
  table.list("dilation", [&](std::size_t i) { return windows[i].dilation; });
  table.integer("groups", [&](std::size_t i) { return windows[i].groups; });
  table.text("evidence", [&](std::size_t i) { return to_string(windows[i].evidence); });
  table.finish();
  json.end_object();
}

}  // namespace planex::render
