#include "render/xlsx/engine_tables.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "analyze/layer_breakdown.h"
#include "base/text.h"
#include "render/fields/memory.h"
#include "render/fields/precision.h"
#include "render/fields/reformats.h"
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

template <typename T>
Cell optional_cell(const std::optional<T>& value) {
  if (!value) return std::monostate{};
  return *value;
}

Cell count_cell(std::size_t count) { return static_cast<std::int64_t>(count); }

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

SheetColumn text_column(std::string_view head) { return {.head = std::string(head)}; }
SheetColumn number_column(std::string_view head, CellStyle style) {
  return {.head = std::string(head), .style = style};
}

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
    write_speed();
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
    if (several) columns.insert(columns.begin(), text_column("Engine"));
    TableSheet sheet(book_, name, std::move(columns),
                     static_cast<std::uint16_t>(frozen + (several && frozen > 0 ? 1 : 0)));
    TablePlace place{
        .sheet = sheet.name(), .rows = {}, .shift = several ? std::uint16_t{1} : std::uint16_t{0}};
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
                  const std::function<DataTable(const WorkbookEngine&)>& table_of) {
    std::vector<DataTable> tables;
    std::vector<SheetColumn> columns;
    // The heads are those of the first; each table is made when its turn comes.
    DataTable first = table_of(engines_.front());
    for (const model::DataColumn& column : first.columns) {
      columns.push_back(sheet_column(column.name, column.unit, column.numeric));
    }
    write_sheet(name, std::move(columns), [&](TableSheet& sheet, const WorkbookEngine& engine) {
      const DataTable table = &engine == &engines_.front() ? std::move(first) : table_of(engine);
      write_rows(sheet, table, true);
    });
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
    for (const model::DataColumn& column : table.columns) {
      columns.push_back(sheet_column(column.name, column.unit, column.numeric));
    }
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
      if (info.name == "layer_id") columns.push_back(text_column("Layer"));
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

  void write_layers() {
    const std::size_t table = *model::find_table("layers");
    const std::span<const model::ColumnInfo> infos = model::schema()[table].columns;
    std::vector<std::size_t> chosen;
    std::vector<SheetColumn> columns;
    for (const std::string_view name : kLayerColumns) {
      const auto info = std::ranges::find(infos, name, &model::ColumnInfo::name);
      // Few engines have records of quantizing.
      const bool is_known = std::ranges::any_of(engines_, [](const WorkbookEngine& engine) {
        return engine.model->accuracy.row_count() > 0;
      });
      if (info->unit == "dB" && !is_known) continue;
      chosen.push_back(static_cast<std::size_t>(info - infos.begin()));
      columns.push_back(column_of(*info));
    }
    write_sheet(
        "Layers", std::move(columns),
        [&](TableSheet& sheet, const WorkbookEngine& engine) {
          const TableView view(*engine.model, table);
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
    return write_sheet(
        "Layer types",
        {text_column("Type"), text_column("Family"), number_column("Layers", CellStyle::kWhole),
         number_column("Median (ms)", CellStyle::kMs), number_column("Mean (ms)", CellStyle::kMs),
         sheet_column("share", "ratio", true)},
        [&](TableSheet& sheet, const WorkbookEngine& engine) {
          for (const analyze::Group& group : engine.summary->by_type) {
            begin_row(sheet);
            sheet.cell(text_cell(group.key));
            sheet.cell(text_cell(to_string(group.family)));
            write_group(sheet, group);
          }
        });
  }

  static void write_group(TableSheet& sheet, const analyze::Group& group) {
    sheet.cell(Cell(group.count));
    sheet.cell(optional_cell(group.median_ms));
    sheet.cell(optional_cell(group.mean_ms));
    sheet.cell(optional_cell(group.share));
    sheet.end_row();
  }

  // The precisions of what layers read, then of what they write: charts read the former.
  TablePlace write_precisions() {
    TablePlace place = write_sheet(
        "Precisions",
        {text_column("Of"), text_column("Precision"), number_column("Layers", CellStyle::kWhole),
         number_column("Median (ms)", CellStyle::kMs), number_column("Mean (ms)", CellStyle::kMs),
         sheet_column("share", "ratio", true)},
        [&](TableSheet& sheet, const WorkbookEngine& engine) {
          for (const auto& [word, groups] :
               {std::pair(std::string_view("first input"), &engine.summary->by_precision),
                std::pair(std::string_view("first output"),
                          &engine.summary->by_output_precision)}) {
            for (const analyze::Group& group : *groups) {
              begin_row(sheet);
              sheet.cell(word);
              sheet.cell(text_cell(group.key));
              write_group(sheet, group);
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

  static void write_totals(TableSheet& sheet, const analyze::LayerTotals& totals) {
    sheet.cell(count_cell(totals.count));
    sheet.cell(optional_cell(totals.time_ms));
    sheet.cell(optional_cell(totals.share));
    sheet.cell(optional_cell(totals.io_bytes));
    sheet.end_row();
  }

  static void add_totals(std::vector<SheetColumn>& columns) {
    columns.push_back(number_column("Layers", CellStyle::kWhole));
    columns.push_back(number_column("Time (ms)", CellStyle::kMs));
    columns.push_back(sheet_column("share", "ratio", true));
    columns.push_back(sheet_column("io_bytes", "bytes", true));
  }

  TablePlace write_parts(std::string_view name, std::vector<SheetColumn> columns,
                         std::span<const analyze::LayerKey> keys) {
    add_totals(columns);
    return write_sheet(name, std::move(columns),
                       [&](TableSheet& sheet, const WorkbookEngine& engine) {
                         for (const analyze::LayerPart& part :
                              analyze::break_down(*engine.model, engine.summary->time, keys)) {
                           begin_row(sheet);
                           for (const std::string_view word : part.words)
                             sheet.cell(text_cell(word));
                           write_totals(sheet, part.totals);
                         }
                       });
  }

  void write_types_by_precision() {
    const analyze::LayerKey keys[] = {analyze::LayerKey::kType, analyze::LayerKey::kPrecision,
                                      analyze::LayerKey::kOutputPrecision};
    write_parts("Types by precision",
                {text_column("Type"), text_column("Precision"), text_column("Output precision")},
                keys);
  }

  TablePlace write_tactics() {
    const analyze::LayerKey keys[] = {analyze::LayerKey::kTactic, analyze::LayerKey::kType,
                                      analyze::LayerKey::kPrecision};
    return write_parts(
        "Tactics", {text_column("Tactic"), text_column("Type"), text_column("Precision")}, keys);
  }

  TablePlace write_origins() {
    std::vector<SheetColumn> columns = {text_column("Origin")};
    add_totals(columns);
    return write_sheet("Reformat origins", std::move(columns),
                       [&](TableSheet& sheet, const WorkbookEngine& engine) {
                         for (const analyze::ReformatsOfWord& part : engine.reformats.by_origin) {
                           begin_row(sheet);
                           sheet.cell(part.word.empty() ? std::string_view("not recorded")
                                                        : std::string_view(part.word));
                           write_totals(sheet, part.totals);
                         }
                       });
  }

  // --- Work ------------------------------------------------------------------------------------

  TablePlace write_work() {
    const auto attribute = [](const PlanModel& model, model::LayerId layer, std::string_view key) {
      return text_cell(model.attribute(layer, key));
    };
    return write_sheet(
        "Convolutions & GEMMs",
        {number_column("Layer id", CellStyle::kGeneral),
         text_column("Layer"),
         text_column("Type"),
         text_column("Precision"),
         text_column("Output precision"),
         text_column("Kernel"),
         text_column("Stride"),
         text_column("Groups"),
         number_column("GEMM M", CellStyle::kWhole),
         number_column("GEMM N", CellStyle::kWhole),
         number_column("GEMM K", CellStyle::kWhole),
         number_column("MACs", CellStyle::kWhole),
         sheet_column("weight_bytes", "bytes", true),
         sheet_column("footprint_bytes", "bytes", true),
         sheet_column("arithmetic_intensity", "flop/byte", true),
         number_column("Time (ms)", CellStyle::kMs),
         number_column("Bound (ms)", CellStyle::kMs),
         number_column("Headroom (ms)", CellStyle::kMs),
         number_column("Reached of the bound (%)", CellStyle::kPercent),
         text_column("Limited by"),
         number_column("Achieved (GFLOP/s)", CellStyle::kReal),
         number_column("Achieved (GB/s)", CellStyle::kReal)},
        [&](TableSheet& sheet, const WorkbookEngine& engine) {
          const PlanModel& model = *engine.model;
          const model::LayersTable& layers = model.layers;
          for (const analyze::SpeedRow& row : engine.speed.rows) {
            const std::size_t layer = row.layer.index();
            if (layers.macs.get(layer).value_or(0) <= 0) continue;
            begin_row(sheet);
            sheet.cell(count_cell(layer));
            sheet.cell(text_cell(model.text(layers.name[layer])));
            sheet.cell(text_cell(model.text(layers.type[layer])));
            sheet.cell(text_cell(to_string(layers.precision[layer])));
            sheet.cell(text_cell(to_string(layers.output_precision[layer])));
            sheet.cell(attribute(model, row.layer, "Kernel"));
            sheet.cell(attribute(model, row.layer, "Stride"));
            sheet.cell(attribute(model, row.layer, "Groups"));
            sheet.cell(optional_cell(layers.gemm_m.get(layer)));
            sheet.cell(optional_cell(layers.gemm_n.get(layer)));
            sheet.cell(optional_cell(layers.gemm_k.get(layer)));
            sheet.cell(optional_cell(layers.macs.get(layer)));
            sheet.cell(optional_cell(layers.weight_bytes.get(layer)));
            sheet.cell(optional_cell(layers.footprint_bytes.get(layer)));
            sheet.cell(optional_cell(layers.arithmetic_intensity.get(layer)));
            write_speed_of(sheet, row);
          }
        },
        2);
  }

  static void write_speed_of(TableSheet& sheet, const analyze::SpeedRow& row) {
    constexpr double kGiga = 1e9;
    const auto in_giga = [](const std::optional<double>& value) {
      return value ? Cell(*value / kGiga) : Cell();
    };
    sheet.cell(optional_cell(row.time_ms));
    sheet.cell(optional_cell(row.bound_ms));
    sheet.cell(optional_cell(row.headroom_ms));
    sheet.cell(optional_cell(row.reached));
    sheet.cell(text_cell(to_string(row.limit)));
    sheet.cell(in_giga(row.flops_per_s));
    sheet.cell(in_giga(row.bytes_per_s));
    sheet.end_row();
  }

  // All layers, by what they could gain.
  void write_speed() {
    write_sheet(
        "Speed of light",
        {number_column("Layer id", CellStyle::kGeneral), text_column("Layer"), text_column("Type"),
         number_column("Time (ms)", CellStyle::kMs), number_column("Bound (ms)", CellStyle::kMs),
         number_column("Headroom (ms)", CellStyle::kMs),
         number_column("Reached of the bound (%)", CellStyle::kPercent), text_column("Limited by"),
         number_column("Achieved (GFLOP/s)", CellStyle::kReal),
         number_column("Achieved (GB/s)", CellStyle::kReal)},
        [&](TableSheet& sheet, const WorkbookEngine& engine) {
          const PlanModel& model = *engine.model;
          for (const analyze::SpeedRow& row : engine.speed.rows) {
            begin_row(sheet);
            sheet.cell(count_cell(row.layer.index()));
            sheet.cell(text_cell(model.text(model.layers.name[row.layer.index()])));
            sheet.cell(text_cell(model.text(model.layers.type[row.layer.index()])));
            write_speed_of(sheet, row);
          }
        },
        2);
  }

  // --- Times of inferences -----------------------------------------------------------------------

  void write_percentiles() {
    const auto ms = [](std::string_view head) { return number_column(head, CellStyle::kMs); };
    write_sheet("Timing percentiles",
                {text_column("Field"), text_column("Samples"),
                 number_column("Count", CellStyle::kWhole), ms("Mean (ms)"), ms("Median (ms)"),
                 ms("Min (ms)"), ms("p90 (ms)"), ms("p95 (ms)"), ms("p99 (ms)"), ms("Max (ms)")},
                [&](TableSheet& sheet, const WorkbookEngine& engine) {
                  for (const analyze::FieldSamples& field : engine.timing.samples.fields) {
                    write_figures(sheet, field.field, "all", field.all);
                    write_figures(sheet, field.field, "trusted", field.trusted);
                  }
                  if (engine.timing.samples.fields.empty()) write_told_figures(sheet, engine);
                });
  }

  void write_figures(TableSheet& sheet, std::string_view field, std::string_view which,
                     const std::optional<analyze::SampleFigures>& figures) {
    if (!figures) return;
    begin_row(sheet);
    sheet.cell(field);
    sheet.cell(which);
    sheet.cell(Cell(figures->count));
    for (const double value :
         {figures->mean_ms, figures->median_ms, figures->min_ms, figures->p90_ms, figures->p95_ms,
          figures->p99_ms, figures->max_ms}) {
      sheet.cell(Cell(value));
    }
    sheet.end_row();
  }

  // For engines without samples: the statistics from a log.
  void write_told_figures(TableSheet& sheet, const WorkbookEngine& engine) {
    const auto& told = engine.summary->time.end_to_end;
    if (!told) return;
    begin_row(sheet);
    sheet.cell(std::string_view(told->field));
    sheet.cell(std::string_view(told->source));
    sheet.cell(told->count > 0 ? Cell(told->count) : Cell());
    for (const auto& value : {told->mean_ms, told->median_ms, told->min_ms, told->p90_ms,
                              told->p95_ms, told->p99_ms, told->max_ms}) {
      sheet.cell(optional_cell(value));
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

CellRange TablePlace::range(std::size_t engine, std::uint16_t column, std::uint32_t most) const {
  const Rows& of = rows[engine];
  return {sheet, of.first, std::min(of.end, of.first + most) - 1,
          static_cast<std::uint16_t>(column + shift)};
}

EngineTables write_tables(Workbook& book, std::span<const WorkbookEngine> engines,
                          const analyze::Comparison& comparison, std::vector<std::string>& notes) {
  return Tables(book, engines, comparison, notes).write();
}

}  // namespace planex::render
