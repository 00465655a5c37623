#include "render/xlsx/engine_tables.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "analyze/layer_breakdown.h"
#include "base/text.h"
#include "render/fields/common.h"
#include "render/fields/memory.h"
#include "render/fields/precision.h"
#include "render/fields/reformats.h"
#include "render/fields/speed.h"
#include "render/fields/summary.h"
#include "render/fields/timing.h"
#include "render/tables/compare_tables.h"
#include "render/tables/record_table.h"
#include "render/xlsx/table_sheet.h"

namespace planex::render {
namespace {

using model::Cell;
using model::DataTable;
using model::PlanModel;
using model::TableView;
using model::Value;

// Columns of `layers` in the order of the sheet; the others are in CSV.
constexpr auto kLayerColumns = std::to_array<std::string_view>({
    "layer_id",
    "name",
    "type",
    "subtype",
    "precision",
    "output_precision",
    "compute_precision",
    "tactic",
    "stream",
    "median_ms",
    "mean_ms",
    "min_ms",
    "max_ms",
    "share",
    "corrected_share",
    "simulated_db",
    "engine_db",
    "weight_bytes",
    "input_bytes",
    "output_bytes",
    "io_bytes",
    "footprint_bytes",
    "scratch_bytes",
    "macs",
    "flops",
    "arithmetic_intensity",
    "gemm_m",
    "gemm_n",
    "gemm_k",
    "origin",
    "role",
});
// Those of convolutions and matrix products, before what speed says about them.
constexpr auto kWorkColumns = std::to_array<std::string_view>({
    "layer_id",
    "name",
    "type",
    "precision",
    "output_precision",
    "gemm_m",
    "gemm_n",
    "gemm_k",
    "macs",
    "weight_bytes",
    "footprint_bytes",
    "arithmetic_intensity",
});

Cell text_cell(std::string_view text) {
  if (text.empty()) return std::monostate{};
  return text;
}

// The name of a column with its unit, as the schema has them.
SheetColumn column_of(const model::ColumnInfo& info) {
  return sheet_column(
      info.name, info.unit,
      info.type == model::ColumnType::kInt64 || info.type == model::ColumnType::kDouble);
}

SheetColumn text_column(std::string_view name) { return sheet_column(name, {}, false); }

// The columns of a described result, but those that the sheet has from elsewhere.
class Described {
 public:
  explicit Described(const record::Record& record, std::span<const std::string_view> without = {})
      : record_(&record) {
    const std::vector<model::DataColumn> all = table_columns(record);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (std::ranges::find(without, all[i].name) != without.end()) continue;
      shown_.push_back(i);
      columns_.push_back(sheet_column(all[i]));
    }
  }

  std::vector<SheetColumn> after(std::vector<SheetColumn> columns) const {
    columns.insert(columns.end(), columns_.begin(), columns_.end());
    return columns;
  }
  void write(TableSheet& sheet, const void* object, const void* context = nullptr) const {
    const std::vector<Value> row = table_row(*record_, object, context);
    for (const std::size_t column : shown_) sheet.cell(row[column]);
  }

 private:
  const record::Record* record_;
  std::vector<std::size_t> shown_;
  std::vector<SheetColumn> columns_;
};

class Tables {
 public:
  Tables(Workbook& book, std::span<const WorkbookEngine> engines,
         const analyze::Comparison& comparison, std::vector<std::string>& notes)
      : book_(book), engines_(engines), comparison_(comparison), notes_(notes) {}

  EngineTables write() {
    EngineTables places;
    if (engines_.size() > 1) write_comparison();
    write_layers();
    places.types = write_types();
    write_types_by_precision();
    places.input_precisions = write_precisions();
    places.tactics = write_tactics();
    write_data("Reformats", [](const WorkbookEngine& engine) {
      return table_of(engine.reformats.rows, reformat_row_fields(), *engine.model);
    });
    places.origins = write_origins();
    places.work = write_work();
    // By what layers could gain.
    write_data(
        "Speed of light",
        [](const WorkbookEngine& engine) {
          return table_of(engine.speed.rows, speed_layer_fields(), *engine.model);
        },
        2);
    write_data("Precision changes", [](const WorkbookEngine& engine) {
      return table_of(precision_rows(*engine.model, engine.precision), precision_row_fields(),
                      *engine.model);
    });
    write_data("Memory", [](const WorkbookEngine& engine) {
      return table_of(engine.memory.frames, memory_frame_fields(), *engine.model);
    });
    if (has_operations()) write_whole("Operations", ledger_table(comparison_));
    write_model("Findings", "findings");
    write_model("Bindings", "bindings");
    write_percentiles();
    write_model("Timing samples", "iterations");
    if (has_kernels()) write_model("Kernels", "kernels");
    write_model("Build and run", "metadata");
    write_model("Files", "files");
    write_model("Diagnostics", "diagnostics");
    return places;
  }

 private:
  using Write = std::function<void(TableSheet& sheet, const WorkbookEngine& engine)>;

  // `write` writes the rows of one engine; each begins with begin_row().
  TablePlace write_sheet(std::string_view name, std::vector<SheetColumn> columns,
                         const Write& write, std::uint16_t frozen = 0) {
    const bool several = engines_.size() > 1;
    if (several) columns.insert(columns.begin(), text_column("engine"));
    std::vector<std::string> names;
    for (const SheetColumn& column : columns) names.push_back(column.name);
    TableSheet sheet(book_, name, std::move(columns),
                     static_cast<std::uint16_t>(frozen + (several && frozen > 0 ? 1 : 0)));
    TablePlace place{.sheet = sheet.name(), .columns = std::move(names), .rows = {}};
    for (const WorkbookEngine& engine : engines_) {
      const std::uint32_t first = sheet.next_row();
      label_ = engine.label;
      write(sheet, engine);
      place.rows.push_back({first, sheet.next_row()});
    }
    note(sheet.finish());
    return place;
  }

  void begin_row(TableSheet& sheet) const {
    if (engines_.size() > 1) sheet.cell(label_);
  }

  void note(std::string text) {
    if (!text.empty()) notes_.push_back(std::move(text));
  }

  // --- Tables that are there already -----------------------------------------------------------

  void write_data(std::string_view name,
                  const std::function<DataTable(const WorkbookEngine&)>& table_of,
                  std::uint16_t frozen = 0) {
    std::vector<DataTable> tables;
    std::vector<SheetColumn> columns;
    // The heads are those of the first; each table is made when its turn comes.
    DataTable first = table_of(engines_.front());
    for (const model::DataColumn& column : first.columns) columns.push_back(sheet_column(column));
    write_sheet(
        name, std::move(columns),
        [&](TableSheet& sheet, const WorkbookEngine& engine) {
          const DataTable table =
              &engine == &engines_.front() ? std::move(first) : table_of(engine);
          write_rows(sheet, table, true);
        },
        frozen);
  }

  void write_rows(TableSheet& sheet, const DataTable& table, bool with_engine) const {
    for (const std::vector<Value>& row : table.rows) {
      if (with_engine) begin_row(sheet);
      for (const Value& value : row) sheet.cell(value);
      sheet.end_row();
    }
  }

  // A table of all engines together.
  void write_whole(std::string_view name, const DataTable& table) {
    std::vector<SheetColumn> columns;
    for (const model::DataColumn& column : table.columns) columns.push_back(sheet_column(column));
    TableSheet sheet(book_, name, std::move(columns));
    write_rows(sheet, table, false);
    note(sheet.finish());
  }

  void write_comparison() {
    SelectedPairs all;
    for (const analyze::EngineDifference& difference : comparison_.differences) {
      std::vector<std::size_t> pairs(difference.layers.pairs.size());
      for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = i;
      all.push_back(std::move(pairs));
    }
    write_whole("Pairs", pairs_table(comparison_, all, Names::kFull, PairColumns::kBothSides));
  }

  bool has_operations() const {
    return std::ranges::any_of(comparison_.ledger.rows, [](const analyze::LedgerRow& row) {
      return row.kind == analyze::LedgerKind::kOperation;
    });
  }

  bool has_kernels() const {
    return std::ranges::any_of(engines_, [](const WorkbookEngine& engine) {
      return engine.model->kernels.row_count() > 0;
    });
  }

  // A table of the schema; layers have their names next to their ids.
  void write_model(std::string_view sheet_name, std::string_view table_name) {
    const std::size_t table = *model::find_table(table_name);
    const std::span<const model::ColumnInfo> infos = model::schema()[table].columns;
    std::vector<SheetColumn> columns;
    for (const model::ColumnInfo& info : infos) {
      columns.push_back(column_of(info));
      if (info.name == "layer_id") columns.push_back(text_column("layer"));
    }
    write_sheet(
        sheet_name, std::move(columns), [&](TableSheet& sheet, const WorkbookEngine& engine) {
          const TableView view(*engine.model, table);
          for (std::size_t row = 0; row < view.row_count(); ++row) {
            begin_row(sheet);
            for (std::size_t i = 0; i < infos.size(); ++i) {
              const Cell cell = view.cell(i, row);
              sheet.cell(cell);
              if (infos[i].name != "layer_id") continue;
              const auto* layer = std::get_if<std::int64_t>(&cell);
              sheet.cell(
                  layer == nullptr
                      ? Cell()
                      : name_of(*engine.model, model::LayerId(static_cast<std::size_t>(*layer))));
            }
            sheet.end_row();
          }
        });
  }

  static Cell name_of(const PlanModel& model, model::LayerId layer) {
    if (layer.index() >= model.layers.row_count()) return std::monostate{};
    return text_cell(model.text(model.layers.name[layer.index()]));
  }

  // --- Layers ----------------------------------------------------------------------------------

  static std::size_t layers_table() { return *model::find_table("layers"); }

  // Adds columns of `layers`; returns their positions in that table.
  std::vector<std::size_t> add_layer_columns(std::span<const std::string_view> names,
                                             std::vector<SheetColumn>& columns) const {
    const std::span<const model::ColumnInfo> infos = model::schema()[layers_table()].columns;
    std::vector<std::size_t> chosen;
    for (const std::string_view name : names) {
      const auto info = std::ranges::find(infos, name, &model::ColumnInfo::name);
      // Few engines have records of quantizing.
      const bool is_known = std::ranges::any_of(engines_, [](const WorkbookEngine& engine) {
        return engine.model->accuracy.row_count() > 0;
      });
      if (info->unit == "dB" && !is_known) continue;
      chosen.push_back(static_cast<std::size_t>(info - infos.begin()));
      columns.push_back(column_of(*info));
    }
    return chosen;
  }

  void write_layers() {
    std::vector<SheetColumn> columns;
    const std::vector<std::size_t> chosen = add_layer_columns(kLayerColumns, columns);
    write_sheet(
        "Layers", std::move(columns),
        [&](TableSheet& sheet, const WorkbookEngine& engine) {
          const TableView view(*engine.model, layers_table());
          for (std::size_t row = 0; row < view.row_count(); ++row) {
            // With the records that have a time, the times add up to Σ layers.
            const model::LayerId layer(row);
            if (!engine.model->does_work(layer) && !engine.model->time_ms(layer)) continue;
            begin_row(sheet);
            for (const std::size_t column : chosen) sheet.cell(view.cell(column, row));
            sheet.end_row();
          }
        },
        2);
  }

  // --- Groups of layers ------------------------------------------------------------------------

  TablePlace write_types() {
    const Described group(type_group_fields().record());
    return write_sheet("Layer types", group.after({}),
                       [&](TableSheet& sheet, const WorkbookEngine& engine) {
                         for (const analyze::Group& of : engine.summary->by_type) {
                           begin_row(sheet);
                           group.write(sheet, &of);
                           sheet.end_row();
                         }
                       });
  }

  // The precisions of what layers read, then of what they write: charts read the former.
  TablePlace write_precisions() {
    constexpr std::string_view kNoFamily[] = {"family"};
    const Described group(precision_group_fields().record(), kNoFamily);
    TablePlace place = write_sheet(
        "Precisions", group.after({text_column("of")}),
        [&](TableSheet& sheet, const WorkbookEngine& engine) {
          for (const auto& [word, groups] :
               {std::pair(std::string_view("first input"), &engine.summary->by_precision),
                std::pair(std::string_view("first output"),
                          &engine.summary->by_output_precision)}) {
            for (const analyze::Group& of : *groups) {
              begin_row(sheet);
              sheet.cell(word);
              group.write(sheet, &of);
              sheet.end_row();
            }
          }
        });
    for (std::size_t i = 0; i < engines_.size(); ++i) {
      place.rows[i].end = std::min<std::uint32_t>(
          place.rows[i].end, place.rows[i].first + static_cast<std::uint32_t>(
                                                       engines_[i].summary->by_precision.size()));
    }
    return place;
  }

  TablePlace write_parts(std::string_view name, std::vector<SheetColumn> columns,
                         std::span<const analyze::LayerKey> keys) {
    const Described totals(totals_fields().record());
    return write_sheet(name, totals.after(std::move(columns)),
                       [&](TableSheet& sheet, const WorkbookEngine& engine) {
                         for (const analyze::LayerPart& part :
                              analyze::break_down(*engine.model, engine.summary->time, keys)) {
                           begin_row(sheet);
                           for (const std::string_view word : part.words)
                             sheet.cell(text_cell(word));
                           totals.write(sheet, &part.totals);
                           sheet.end_row();
                         }
                       });
  }

  void write_types_by_precision() {
    const analyze::LayerKey keys[] = {analyze::LayerKey::kType, analyze::LayerKey::kPrecision,
                                      analyze::LayerKey::kOutputPrecision};
    write_parts("Types by precision",
                {text_column("type"), text_column("precision"), text_column("output_precision")},
                keys);
  }

  TablePlace write_tactics() {
    const analyze::LayerKey keys[] = {analyze::LayerKey::kTactic, analyze::LayerKey::kType,
                                      analyze::LayerKey::kPrecision};
    return write_parts(
        "Tactics", {text_column("tactic"), text_column("type"), text_column("precision")}, keys);
  }

  TablePlace write_origins() {
    const Described totals(totals_fields().record());
    return write_sheet("Reformat origins", totals.after({text_column("origin")}),
                       [&](TableSheet& sheet, const WorkbookEngine& engine) {
                         for (const analyze::ReformatsOfWord& part : engine.reformats.by_origin) {
                           begin_row(sheet);
                           sheet.cell(part.word.empty() ? std::string_view("not recorded")
                                                        : std::string_view(part.word));
                           totals.write(sheet, &part.totals);
                           sheet.end_row();
                         }
                       });
  }

  // --- Work ------------------------------------------------------------------------------------

  // What convolutions and matrix products are, and how close they come to the limits.
  TablePlace write_work() {
    constexpr std::string_view kAttributes[] = {"Kernel", "Stride", "Groups"};
    constexpr std::string_view kOfLayers[] = {"layer_id", "layer", "type", "flops"};
    const Described speed(speed_layer_fields().record(), kOfLayers);
    std::vector<SheetColumn> columns;
    const std::vector<std::size_t> chosen = add_layer_columns(kWorkColumns, columns);
    for (const std::string_view attribute : kAttributes) {
      columns.push_back({.name = std::string(attribute), .head = std::string(attribute)});
    }
    return write_sheet(
        "Convolutions & GEMMs", speed.after(std::move(columns)),
        [&](TableSheet& sheet, const WorkbookEngine& engine) {
          const TableView view(*engine.model, layers_table());
          for (const analyze::SpeedRow& row : engine.speed.rows) {
            const std::size_t layer = row.layer.index();
            if (engine.model->layers.macs.get(layer).value_or(0) <= 0) continue;
            begin_row(sheet);
            for (const std::size_t column : chosen) sheet.cell(view.cell(column, layer));
            for (const std::string_view attribute : kAttributes) {
              sheet.cell(text_cell(engine.model->attribute(row.layer, attribute)));
            }
            speed.write(sheet, &row, engine.model);
            sheet.end_row();
          }
        },
        2);
  }

  // --- Times of inferences -----------------------------------------------------------------------

  void write_percentiles() {
    const Described figures(sample_figures_fields().record());
    write_sheet("Timing percentiles", figures.after({text_column("field"), text_column("samples")}),
                [&](TableSheet& sheet, const WorkbookEngine& engine) {
                  const auto write = [&](std::string_view field, std::string_view which,
                                         const std::optional<analyze::SampleFigures>& of) {
                    if (!of) return;
                    begin_row(sheet);
                    sheet.cell(field);
                    sheet.cell(which);
                    figures.write(sheet, &*of);
                    sheet.end_row();
                  };
                  for (const analyze::FieldSamples& field : engine.timing.samples.fields) {
                    write(field.field, "all", field.all);
                    write(field.field, "trusted", field.trusted);
                  }
                  if (engine.timing.samples.fields.empty()) write_told_figures(sheet, engine);
                });
  }

  // For engines without samples: the statistics from a log.
  void write_told_figures(TableSheet& sheet, const WorkbookEngine& engine) {
    const auto& told = engine.summary->time.end_to_end;
    if (!told) return;
    begin_row(sheet);
    sheet.cell(std::string_view(told->field));
    sheet.cell(std::string_view(told->source));
    sheet.cell(told->count > 0 ? Cell(told->count) : Cell());
    for (const auto& value : {told->mean_ms, told->median_ms, told->min_ms, told->max_ms,
                              told->p90_ms, told->p95_ms, told->p99_ms}) {
      sheet.cell(value ? Cell(*value) : Cell());
    }
    sheet.end_row();
  }

  Workbook& book_;
  std::span<const WorkbookEngine> engines_;
  const analyze::Comparison& comparison_;
  std::vector<std::string>& notes_;
  std::string_view label_;
};

}  // namespace

CellRange TablePlace::range(std::size_t engine, std::string_view column, std::uint32_t most) const {
  const Rows& of = rows[engine];
  const auto place = std::ranges::find(columns, column) - columns.begin();
  return {sheet, of.first, std::min(of.end, of.first + most) - 1,
          static_cast<std::uint16_t>(place)};
}

EngineTables write_tables(Workbook& book, std::span<const WorkbookEngine> engines,
                          const analyze::Comparison& comparison, std::vector<std::string>& notes) {
  return Tables(book, engines, comparison, notes).write();
}

}  // namespace planex::render
