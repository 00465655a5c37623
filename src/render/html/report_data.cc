// The data of the report as JSON.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "render/html/graph_data.h"
#include "render/html/report_fields.h"
#include "render/html/report_html.h"
#include "render/html/report_sink.h"
#include "render/html/string_table.h"
#include "render/json/record_json.h"

namespace planex::render {
namespace {

using model::Cell;
using model::PlanModel;
using model::TableView;

void write_table_cell(JsonWriter& json, const Cell& cell, StringTable& strings) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    json.value(*number);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    json.value(*real);
  } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
    json.value(strings.index_of(*text));
  } else if (const auto* list = std::get_if<std::span<const std::int64_t>>(&cell)) {
    json.begin_array();
    for (const std::int64_t item : *list) json.value(item);
    json.end_array();
  } else {
    json.null();
  }
}

void begin_column(JsonWriter& json, std::string_view name, std::string_view type,
                  std::string_view unit) {
  json.key(name)
      .begin_object()
      .member("type", type)
      .member("unit", unit)
      .key("values")
      .begin_array();
}

// Columns without any value are left out; the page reads a missing column as null.
bool has_values(const TableView& table, std::size_t column) {
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (!std::holds_alternative<std::monostate>(table.cell(column, row))) return true;
  }
  return false;
}

// The tensor's name next to its id, so that the page needs no table of tensors.
void write_tensor_names(JsonWriter& json, const PlanModel& model, StringTable& strings) {
  begin_column(json, "tensor", "text", "");
  for (const model::TensorId tensor : model.ports.tensor_id.values()) {
    json.value(strings.index_of(model.text(model.tensors.name[tensor.index()])));
  }
  json.end_array().end_object();
}

void write_digests(JsonWriter& json, const EngineOrigin& origin, StringTable& strings) {
  const auto is_known = [](const FileDigest& digest) { return !digest.sha256.empty(); };
  if (std::ranges::none_of(origin.digests, is_known)) return;
  begin_column(json, "sha256", "text", "");
  for (const FileDigest& digest : origin.digests) {
    is_known(digest) ? json.value(strings.index_of(digest.sha256)) : json.null();
  }
  json.end_array().end_object();
  begin_column(json, "is_as_made", "bool", "");
  for (const FileDigest& digest : origin.digests) json.value(digest.is_as_made);
  json.end_array().end_object();
}

void write_table(JsonWriter& json, const ReportEngine& engine, std::string_view name,
                 StringTable& strings) {
  const PlanModel& model = *engine.model;
  const auto index = model::find_table(name);
  if (!index) return;
  const TableView table(model, *index);
  json.key(name)
      .begin_object()
      .member("row_count", table.row_count())
      .key("columns")
      .begin_object();
  for (std::size_t column = 0; column < table.info().columns.size(); ++column) {
    if (!has_values(table, column)) continue;
    const model::ColumnInfo& info = table.info().columns[column];
    begin_column(json, info.name, to_string(info.type), info.unit);
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      write_table_cell(json, table.cell(column, row), strings);
    }
    json.end_array().end_object();
  }
  if (name == "ports") write_tensor_names(json, model, strings);
  if (name == "files") write_digests(json, *engine.origin, strings);
  json.end_object().end_object();
}

void write_engine(JsonWriter& json, const ReportEngine& engine) {
  const ReportEngineContext context{.timing = {.model = *engine.model,
                                               .summary = *engine.summary,
                                               .timing = engine.analyses->timing,
                                               .detail = SampleDetail::kSeries},
                                    .lint = {*engine.model, *engine.lint}};
  StringTable strings;
  ReportSink sink(json, strings);
  json.begin_object();
  sink.members(report_engine_head_fields(), engine, context);
  json.key("tables").begin_object();
  constexpr std::array<std::string_view, 8> kTables = {
      "layers", "ports", "sources", "attributes", "kernels", "files", "diagnostics", "metadata"};
  const std::span tables(kTables);
  for (const std::string_view table : engine.analyses->is_complete ? tables : tables.first(1)) {
    write_table(json, engine, table, strings);
  }
  json.end_object();
  if (engine.analyses->is_complete) {
    write_graph_member(json, *engine.model, engine.analyses->graphs, strings);
  }
  sink.members(report_engine_tail_fields(), engine, context);
  strings.write(json);
  json.end_object();
}

}  // namespace

void write_report(JsonWriter& json, const ReportParts& parts) {
  json.hide_folders(parts.hidden_folders);
  json.begin_object().member("schema", report_document().id);
  write_members(json, report_head_fields(), parts);
  json.key("engines").begin_array();
  for (const ReportEngine& engine : parts.engines) write_engine(json, engine);
  json.end_array().key("comparison");
  if (parts.comparison != nullptr) {
    write_compare_data(json, *parts.comparison);
  } else {
    json.null();
  }
  json.key("optimize");
  parts.optimize.empty() ? json.null() : json.raw(parts.optimize);
  json.end_object();
}

std::string report_json(const ReportParts& parts) {
  JsonWriter json;
  write_report(json, parts);
  return json.take();
}

}  // namespace planex::render
