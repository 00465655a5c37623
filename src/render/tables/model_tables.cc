#include "render/tables/model_tables.h"

#include <cstdint>
#include <string>
#include <variant>

#include "base/try.h"
#include "render/csv/csv_fields.h"
#include "render/json/json_writer.h"
#include "render/words/pieces.h"

namespace planex::render {
namespace {

using model::Cell;
using model::TableView;

constexpr std::string_view kWorkLayers = "work_layers";

// Calls `write(label, view, row)` for each row, until it fails.
template <typename Write>
Result<void> for_each_row(std::span<const LabelledModel> models, TableChoice choice,
                          const Write& write) {
  for (const LabelledModel& labelled : models) {
    const TableView view(*labelled.model, choice.table);
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      if (choice.work_only && !labelled.model->does_work(model::LayerId(row))) continue;
      PLANEX_TRY(write(labelled.label, view, row));
    }
  }
  return {};
}

void write_cell(JsonWriter& json, const Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    json.value(*number);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    json.value(*real);
  } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
    json.value(*text);
  } else if (const auto* list = std::get_if<std::span<const std::int64_t>>(&cell)) {
    json.begin_array();
    for (const std::int64_t item : *list) json.value(item);
    json.end_array();
  } else {
    json.null();
  }
}

}  // namespace

std::optional<TableChoice> find_table_choice(std::string_view name) {
  const bool work_only = name == kWorkLayers;
  const auto table = model::find_table(work_only ? "layers" : name);
  if (!table) return std::nullopt;
  return TableChoice{*table, work_only};
}

std::vector<std::string_view> table_choices() {
  std::vector<std::string_view> names;
  for (const model::TableInfo& table : model::schema()) names.push_back(table.name);
  names.push_back(kWorkLayers);
  return names;
}

Result<void> write_csv(std::span<const LabelledModel> models, TableChoice choice,
                       const DocumentSink& sink) {
  Pieces pieces(sink);
  std::string& csv = pieces.text();
  const std::span<const model::ColumnInfo> columns = model::schema()[choice.table].columns;
  const bool with_engine = models.size() > 1;
  if (with_engine) csv += "engine,";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) csv += ',';
    append_csv(csv, columns[i].name);
  }
  csv += kCsvLineEnd;
  PLANEX_TRY(for_each_row(models, choice,
                          [&](std::string_view label, const TableView& view, std::size_t row) {
                            if (with_engine) {
                              append_csv(csv, label);
                              csv += ',';
                            }
                            for (std::size_t i = 0; i < columns.size(); ++i) {
                              if (i > 0) csv += ',';
                              append_csv(csv, view.cell(i, row));
                            }
                            csv += kCsvLineEnd;
                            return pieces.end_record();
                          }));
  return pieces.finish();
}

Result<void> write_json_lines(std::span<const LabelledModel> models, TableChoice choice,
                              const DocumentSink& sink) {
  Pieces pieces(sink);
  JsonWriter json;
  const std::span<const model::ColumnInfo> columns = model::schema()[choice.table].columns;
  PLANEX_TRY(for_each_row(models, choice,
                          [&](std::string_view label, const TableView& view, std::size_t row) {
                            json.begin_object();
                            if (models.size() > 1) json.member("engine", label);
                            for (std::size_t i = 0; i < columns.size(); ++i) {
                              json.key(columns[i].name);
                              write_cell(json, view.cell(i, row));
                            }
                            json.end_object();
                            pieces.text() += json.take();
                            pieces.text() += '\n';
                            return pieces.end_record();
                          }));
  return pieces.finish();
}

}  // namespace planex::render
