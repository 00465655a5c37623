#include "render/xlsx/engine_charts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyze/layer_breakdown.h"
#include "analyze/timing/totals.h"
#include "base/text.h"
#include "render/words/palette.h"

namespace planex::render {
namespace {

using base::format;
using model::DType;
using model::LayerId;
using model::PlanModel;
using model::Value;

constexpr std::uint32_t kMaxBars = 20;
constexpr std::size_t kMaxColours = 12;  // of a stacked chart, and one for the rest
constexpr std::size_t kBins = 24;
constexpr std::string_view kBlue = "#3B6EA8", kGreen = "#4C8C4A", kGrey = "#8A939B";

// Charts from left to right, two in a row. A chart covers 12 columns and 19 rows of usual size.
class Grid {
 public:
  explicit Grid(Sheet& sheet) : sheet_(sheet) { sheet.hide_gridlines(); }
  void add(const Chart& chart) {
    constexpr std::uint32_t kRows = 20;
    constexpr unsigned kColumns = 12;
    sheet_.add_chart({1 + count_ / 2 * kRows, static_cast<std::uint16_t>(count_ % 2 * kColumns)},
                     chart);
    ++count_;
  }

 private:
  Sheet& sheet_;
  std::uint32_t count_ = 0;
};

template <typename T>
Value value_of(const std::optional<T>& value) {
  return model::value_of(value);
}

class EngineCharts {
 public:
  EngineCharts(Sheet& sheet, ChartData& data, const EngineTables& tables, std::size_t index,
               const WorkbookEngine& engine)
      : grid_(sheet),
        data_(data),
        tables_(tables),
        index_(index),
        engine_(engine),
        model_(*engine.model),
        times_(model_, engine.summary->time) {}

  void draw() {
    choose_layers();
    layers_by_words("Time per layer, by type (ms)", "by type", [this](std::size_t row) {
      const std::string_view type = model_.text(model_.layers.type[row]);
      return Word{std::string(type), palette_.layer(model_.layers.family[row], type)};
    });
    layers_by_words("Time per layer, by precision (ms)", "by precision", [this](std::size_t row) {
      return precision_word(model_.layers.precision[row]);
    });
    layers_by_words(
        "Time per layer, by output precision (ms)", "by output precision",
        [this](std::size_t row) { return precision_word(model_.layers.output_precision[row]); });
    share_per_layer();
    distribution("Distribution of layer times", "Time (ms)", "layer times", "0.000", times_ms());
    by_type();
    by_precision();
    bars("Time by tactic (ms)", tables_.tactics, "tactic", "time_ms", "Time (ms)");
    bars("Reformats by origin (ms)", tables_.origins, "origin", "time_ms", "Time (ms)");
    bars("Reformats by origin (layers)", tables_.origins, "origin", "count", "Layers");
    memory_per_layer();
    timeline();
    work();
    timing();
  }

 private:
  struct Word {
    std::string word;
    std::string_view colour;
  };

  static Word precision_word(DType type) {
    const Palette palette(Theme::kLight, PaletteName::kPlanex);
    return {std::string(to_string(type)), palette.precision(type)};
  }

  // The layers that have bars: those that do work or have a time.
  void choose_layers() {
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const LayerId layer(row);
      if (model_.does_work(layer) || times_.of(layer)) layers_.push_back(layer);
    }
    const std::size_t all = layers_.size();
    if (all <= kMaxChartedLayers) return;
    const auto slower = [this](LayerId a, LayerId b) {
      return times_.of(a).value_or(-1) > times_.of(b).value_or(-1);
    };
    std::ranges::stable_sort(layers_, slower);
    layers_.resize(kMaxChartedLayers);
    std::ranges::sort(layers_);
    part_ = format("; the {} slowest of {}", kMaxChartedLayers, all);
  }

  // Ids of the layers, under the bars.
  CellRange layer_ids() {
    if (!layer_ids_) {
      std::vector<Value> ids;
      for (const LayerId layer : layers_)
        ids.emplace_back(static_cast<std::int64_t>(layer.index()));
      layer_ids_ = data_.add("Layer id", CellStyle::kGeneral, std::move(ids));
    }
    return *layer_ids_;
  }

  bool has_times() const { return times_.sum_ms().has_value() && !layers_.empty(); }

  std::string layer_axis() const { return "Layers in execution order" + part_; }

  // One column of bars per layer, in the colour of a word: a series for each word, with a number
  // where the layer has that word.
  void layers_by_words(const std::string& title, std::string_view what,
                       const std::function<Word(std::size_t row)>& word_of) {
    if (!has_times()) return;
    struct Part {
      std::string colour;
      double ms = 0;
      std::vector<Value> values;
    };
    std::map<std::string, Part> parts;
    for (const LayerId layer : layers_) {
      const Word word = word_of(layer.index());
      Part& part = parts[word.word.empty() ? "not known" : word.word];
      part.colour = word.colour.empty() ? kGrey : word.colour;
      part.ms += times_.of(layer).value_or(0);
    }
    std::vector<std::pair<std::string, Part>> list(parts.begin(), parts.end());
    std::ranges::stable_sort(list, std::ranges::greater{},
                             [](const auto& entry) { return entry.second.ms; });
    if (list.size() > kMaxColours) {
      list.resize(kMaxColours);
      list.push_back({"others", {.colour = std::string(kGrey)}});
    }
    for (auto& entry : list) entry.second.values.resize(layers_.size());
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const std::string word = word_of(layers_[i].index()).word;
      auto found = std::ranges::find(list, word.empty() ? "not known" : word,
                                     &std::pair<std::string, Part>::first);
      if (found == list.end()) found = list.end() - 1;
      found->second.values[i] = value_of(times_.of(layers_[i]));
    }
    Chart chart{.kind = ChartKind::kStackedColumns,
                .title = title,
                .x = {.name = layer_axis(), .has_labels = false},
                .y = {.name = "Time (ms)", .number_format = "0.000"},
                .has_legend = true,
                .is_dense = true};
    for (auto& [word, part] : list) {
      const CellRange values =
          data_.add(format("{} (ms), {}", word, what), CellStyle::kMs, std::move(part.values));
      chart.series.push_back(
          {.name = word, .values = values, .categories = layer_ids(), .colour = part.colour});
    }
    grid_.add(chart);
  }

  // A bar for each charted layer.
  void per_layer(const std::string& title, const std::string& head, const std::string& axis,
                 CellStyle style, std::string_view colour,
                 const std::function<Value(std::size_t row)>& value) {
    std::vector<Value> values;
    bool any = false;
    for (const LayerId layer : layers_) {
      values.push_back(value(layer.index()));
      any = any || !std::holds_alternative<std::monostate>(values.back());
    }
    if (!any) return;
    const CellRange range = data_.add(head, style, std::move(values));
    grid_.add({.kind = ChartKind::kColumns,
               .title = title,
               .series = {{.name = head,
                           .values = range,
                           .categories = layer_ids(),
                           .colour = std::string(colour)}},
               .x = {.name = layer_axis(), .has_labels = false},
               .y = {.name = axis},
               .is_dense = true});
  }

  void share_per_layer() {
    if (!has_times()) return;
    per_layer("Share per layer, of Σ layers", "Share", "Share of Σ layers", CellStyle::kPercent,
              kBlue,
              [this](std::size_t row) { return value_of(times_.share(times_.of(LayerId(row)))); });
  }

  std::vector<double> times_ms() const {
    std::vector<double> values;
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      if (const auto time = times_.of(LayerId(row))) values.push_back(*time);
    }
    return values;
  }

  void distribution(const std::string& title, const std::string& axis, const std::string& head,
                    const std::string& number, const std::vector<double>& of) {
    const analyze::Distribution bins = analyze::distribution_of(of, kBins);
    std::vector<Value> from, counts;
    for (std::size_t i = 0; i < bins.counts.size(); ++i) {
      from.emplace_back(bins.start + bins.step * static_cast<double>(i));
      counts.emplace_back(bins.counts[i]);
    }
    bin_chart(title, axis, head, number, std::move(from), std::move(counts));
  }

  void bin_chart(const std::string& title, const std::string& axis, const std::string& head,
                 const std::string& number, std::vector<Value> from, std::vector<Value> counts) {
    if (counts.size() < 2) return;
    const CellRange starts =
        data_.add(format("From, {}", head), CellStyle::kGeneral, std::move(from));
    const CellRange range =
        data_.add(format("Count, {}", head), CellStyle::kWhole, std::move(counts));
    grid_.add({.kind = ChartKind::kColumns,
               .title = title,
               .series = {{.name = "count",
                           .values = range,
                           .categories = starts,
                           .colour = std::string(kBlue)}},
               .x = {.name = axis + ", from", .number_format = number},
               .y = {.name = "Count"},
               .is_dense = true});
  }

  // Bars from a table: its first rows.
  void bars(const std::string& title, const TablePlace& table, std::string_view words,
            std::string_view values, const std::string& axis) {
    if (!table.has_rows(index_)) return;
    const bool is_time = values != "count";
    if (is_time && !has_times()) return;
    const bool is_part = table.count(index_) > kMaxBars;
    grid_.add({.kind = ChartKind::kBars,
               .title = is_part ? format("{}: the first {}", title, kMaxBars) : title,
               .series = {{.name = axis,
                           .values = table.range(index_, values, kMaxBars),
                           .categories = table.range(index_, words, kMaxBars),
                           .colour = std::string(kBlue)}},
               .x = {},
               .y = {.name = axis}});
  }

  void by_type() {
    const std::string_view time = time_column();
    bars("Time by type (ms)", tables_.types, "type", time, "Time (ms)");
    bars("Share by type, of Σ layers", tables_.types, "type", "share", "Share of Σ layers");
    bars("Layers by type", tables_.types, "type", "count", "Layers");
    types_by_precision();
  }

  // Tables of types and precisions have the median, then the mean.
  std::string_view time_column() const {
    return times_.basis() == analyze::TimeBasis::kMean ? "mean_ms" : "median_ms";
  }

  // What the predecessor drew as nested rings.
  void types_by_precision() {
    std::vector<Value> types;
    std::map<DType, std::vector<Value>> counts;
    const auto& groups = engine_.summary->by_type;
    const std::size_t shown = std::min<std::size_t>(groups.size(), kMaxBars);
    for (std::size_t i = 0; i < shown; ++i) types.emplace_back(groups[i].key);
    if (types.empty()) return;
    std::map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < shown; ++i) index.emplace(groups[i].key, i);
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const auto found = index.find(model_.text(model_.layers.type[row]));
      if (!model_.does_work(LayerId(row)) || found == index.end()) continue;
      auto& column = counts[model_.layers.precision[row]];
      column.resize(shown);
      Value& count = column[found->second];
      const auto* so_far = std::get_if<std::int64_t>(&count);
      count = (so_far == nullptr ? 0 : *so_far) + std::int64_t{1};
    }
    const CellRange categories = data_.add("Type", CellStyle::kText, std::move(types));
    Chart chart{.kind = ChartKind::kStackedBars,
                .title = "Layers by type and precision",
                .y = {.name = "Layers"},
                .has_legend = true};
    for (auto& [type, column] : counts) {
      const Word word = precision_word(type);
      const std::string name = word.word.empty() ? "not known" : word.word;
      const CellRange values =
          data_.add(format("{} (layers)", name), CellStyle::kWhole, std::move(column));
      chart.series.push_back({.name = name,
                              .values = values,
                              .categories = categories,
                              .colour = std::string(word.colour.empty() ? kGrey : word.colour)});
    }
    grid_.add(chart);
  }

  void by_precision() {
    const TablePlace& table = tables_.input_precisions;
    if (!table.has_rows(index_)) return;
    bars("Time by precision (ms)", table, "precision", time_column(), "Time (ms)");
    std::vector<std::string> colours;
    const Palette palette(Theme::kLight, PaletteName::kPlanex);
    for (const analyze::Group& group : engine_.summary->by_precision) {
      const std::string_view colour = palette.precision(model::dtype_of(group.key));
      colours.emplace_back(colour.empty() ? kGrey : colour);
    }
    const CellRange words = table.range(index_, "precision", kMaxBars);
    Chart chart{.kind = ChartKind::kDoughnut,
                .title = "Precisions: layers (inner ring) and time (outer ring)",
                .has_legend = true};
    chart.series.push_back({.name = "layers",
                            .values = table.range(index_, "count", kMaxBars),
                            .categories = words,
                            .part_colours = colours});
    if (has_times()) {
      chart.series.push_back({.name = "time",
                              .values = table.range(index_, time_column(), kMaxBars),
                              .categories = words,
                              .part_colours = colours});
    }
    grid_.add(chart);
  }

  void memory_per_layer() {
    const auto bytes = [](const model::Int& column) {
      return [&column](std::size_t row) { return value_of(column.get(row)); };
    };
    const auto all = [this](const model::Int& column) {
      std::vector<double> values;
      for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
        if (!model_.does_work(LayerId(row)) || column.is_null(row)) continue;
        values.push_back(static_cast<double>(column[row]));
      }
      return values;
    };
    const model::LayersTable& layers = model_.layers;
    per_layer("Weights per layer (bytes)", "Weights (bytes)", "Bytes", CellStyle::kWhole, kBlue,
              bytes(layers.weight_bytes));
    per_layer("Activations read and written per layer (bytes)", "Activations (bytes)", "Bytes",
              CellStyle::kWhole, kGreen, bytes(layers.io_bytes));
    per_layer("Bytes moved per layer", "Bytes moved", "Bytes", CellStyle::kWhole, kGrey,
              bytes(layers.footprint_bytes));
    distribution("Distribution of weights per layer", "Bytes", "weights", "#,##0",
                 all(layers.weight_bytes));
    distribution("Distribution of activations per layer", "Bytes", "activations", "#,##0",
                 all(layers.io_bytes));
    distribution("Distribution of bytes moved per layer", "Bytes", "bytes moved", "#,##0",
                 all(layers.footprint_bytes));
  }

  void timeline() {
    const auto& frames = engine_.memory.frames;
    if (frames.empty()) return;
    // As many points as bars; if there are more frames, the largest of each stretch, so that the
    // peak stays.
    const std::size_t stretch = (frames.size() + kMaxChartedLayers - 1) / kMaxChartedLayers;
    std::vector<Value> ids, live;
    for (std::size_t i = 0; i < frames.size(); i += stretch) {
      const auto end = std::min(frames.size(), i + stretch);
      const auto greatest = std::max_element(
          frames.begin() + static_cast<std::ptrdiff_t>(i),
          frames.begin() + static_cast<std::ptrdiff_t>(end),
          [](const auto& a, const auto& b) { return a.live_bytes < b.live_bytes; });
      ids.emplace_back(static_cast<std::int64_t>(greatest->layer.index()));
      live.emplace_back(greatest->live_bytes);
    }
    const CellRange layers = data_.add("Layer id, memory", CellStyle::kGeneral, std::move(ids));
    const CellRange values =
        data_.add("Live activations (bytes)", CellStyle::kWhole, std::move(live));
    grid_.add({.kind = ChartKind::kArea,
               .title = "Activations live while each layer runs (bytes)",
               .series = {{.name = "live",
                           .values = values,
                           .categories = layers,
                           .colour = std::string(kGreen)}},
               .x = {.name = "Layers in execution order", .has_labels = false},
               .y = {.name = "Bytes"}});
  }

  void scatter(const std::string& title, const ChartAxis& x, std::string_view x_column,
               const ChartAxis& y, std::string_view y_column) {
    const TablePlace& table = tables_.work;
    constexpr auto kMax = static_cast<std::uint32_t>(kMaxChartedLayers);
    grid_.add({.kind = ChartKind::kScatter,
               .title = title,
               .series = {{.name = "layers",
                           .values = table.range(index_, y_column, kMax),
                           .categories = table.range(index_, x_column, kMax)}},
               .x = x,
               .y = y});
  }

  // Convolutions and matrix products: a roofline, and the views that the predecessor had.
  void work() {
    if (!tables_.work.has_rows(index_)) return;
    const ChartAxis macs{.name = "MACs", .number_format = "0E+0", .is_logarithmic = true};
    const ChartAxis time{.name = "Time (ms)", .number_format = "General", .is_logarithmic = true};
    const ChartAxis rate{
        .name = "Achieved (GFLOP/s)", .number_format = "#,##0", .is_logarithmic = true};
    const ChartAxis width{
        .name = "Achieved (GB/s)", .number_format = "#,##0", .is_logarithmic = true};
    const ChartAxis intensity{.name = "Arithmetic intensity (FLOP/byte)",
                              .number_format = "General",
                              .is_logarithmic = true};
    const ChartAxis moved{.name = "Bytes moved", .number_format = "0E+0", .is_logarithmic = true};
    if (has_times()) {
      scatter("Roofline: achieved rate over arithmetic intensity", intensity,
              "arithmetic_intensity", rate, "flops_per_s");
      scatter("Time over MACs", macs, "macs", time, "time_ms");
      scatter("Achieved rate over MACs", macs, "macs", rate, "flops_per_s");
      scatter("Achieved bandwidth over bytes moved", moved, "footprint_bytes", width,
              "bytes_per_s");
      scatter("Achieved rate over achieved bandwidth", width, "bytes_per_s", rate, "flops_per_s");
      scatter("Achieved bandwidth over arithmetic intensity", intensity, "arithmetic_intensity",
              width, "bytes_per_s");
    }
    scatter("Bytes moved over MACs", macs, "macs", moved, "footprint_bytes");
    if (!has_times()) return;
    const auto size = [](std::string_view name) {
      return ChartAxis{.name = std::string(name), .number_format = "#,##0", .is_logarithmic = true};
    };
    scatter("Time over GEMM M", size("M"), "gemm_m", time, "time_ms");
    scatter("Time over GEMM N", size("N"), "gemm_n", time, "time_ms");
    scatter("Time over GEMM K", size("K"), "gemm_k", time, "time_ms");
    if (engine_.speed.total.bound_ms) {
      bars("Time above the bound, convolutions and GEMMs (ms)", tables_.work, "name", "headroom_ms",
           "Headroom (ms)");
    }
  }

  void timing() {
    waterfall();
    const auto& fields = engine_.timing.samples.fields;
    if (fields.empty()) return;
    const analyze::FieldSamples& field = fields.front();
    if (field.bins) {
      std::vector<Value> from, counts;
      for (std::size_t i = 0; i < field.bins->counts.size(); ++i) {
        from.emplace_back(field.bins->start_ms + field.bins->step_ms * static_cast<double>(i));
        counts.emplace_back(field.bins->counts[i]);
      }
      bin_chart(format("Distribution of inferences: {}", field.field), "Time (ms)", "inferences",
                "0.000", std::move(from), std::move(counts));
    }
    samples(field);
  }

  void samples(const analyze::FieldSamples& field) {
    const analyze::SampleBuckets& buckets = field.buckets;
    if (buckets.first.size() < 2) return;
    std::vector<Value> first(buckets.first.begin(), buckets.first.end());
    const CellRange x = data_.add("Inference", CellStyle::kWhole, std::move(first));
    const auto column = [&](std::string_view name, const std::vector<double>& values) {
      return data_.add(format("{} (ms)", name), CellStyle::kMs, {values.begin(), values.end()});
    };
    const CellRange greatest = column("Greatest", buckets.max_ms);
    const CellRange running = column("Running median", buckets.running_ms);
    grid_.add({.kind = ChartKind::kLine,
               .title = format("Every inference: {}", field.field),
               .series = {{.name = "largest of a stretch",
                           .values = greatest,
                           .categories = x,
                           .colour = std::string(kGrey)},
                          {.name = "running median",
                           .values = running,
                           .categories = x,
                           .colour = std::string(kBlue)}},
               .x = {.name = "Inference"},
               .y = {.name = "Time (ms)", .number_format = "0.000"},
               .has_legend = true});
  }

  // Steps from the layers to the whole inference: each on top of the ones below it.
  void waterfall() {
    const auto& steps = engine_.timing.waterfall;
    if (steps.size() < 2) return;
    std::vector<Value> words, under, heights;
    for (const analyze::WaterfallStep& step : steps) {
      words.emplace_back(step.type.empty() ? std::string(to_string(step.kind)) : step.type);
      under.emplace_back(std::min(step.from_ms, step.to_ms));
      heights.emplace_back(std::max(step.from_ms, step.to_ms) - std::min(step.from_ms, step.to_ms));
    }
    const CellRange categories = data_.add("Step", CellStyle::kText, std::move(words));
    const CellRange below = data_.add("Under it (ms)", CellStyle::kMs, std::move(under));
    const CellRange above = data_.add("Step (ms)", CellStyle::kMs, std::move(heights));
    grid_.add({.kind = ChartKind::kStackedColumns,
               .title = "From the layers to the inference (ms)",
               .series = {{.name = "under it",
                           .values = below,
                           .categories = categories,
                           .colour = std::string(kNoColour)},
                          {.name = "step",
                           .values = above,
                           .categories = categories,
                           .colour = std::string(kBlue)}},
               .x = {},
               .y = {.name = "Time (ms)", .number_format = "0.000"}});
  }

  Grid grid_;
  ChartData& data_;
  const EngineTables& tables_;
  std::size_t index_;
  const WorkbookEngine& engine_;
  const PlanModel& model_;
  analyze::LayerTimes times_;
  Palette palette_{Theme::kLight, PaletteName::kPlanex};
  std::vector<LayerId> layers_;
  std::string part_;
  std::optional<CellRange> layer_ids_;
};

}  // namespace

void draw_engine_charts(Sheet& sheet, ChartData& data, const EngineTables& tables,
                        std::size_t index, const WorkbookEngine& engine) {
  EngineCharts(sheet, data, tables, index, engine).draw();
}

namespace {

// A row of the comparison as a column per engine.
void engines_bar(Grid& grid, ChartData& data, const CellRange& engines,
                 const analyze::TotalRow& row, const std::string& axis) {
  std::vector<Value> values;
  for (const auto& value : row.values) values.push_back(value_of(value));
  const CellRange range = data.add(row.label, CellStyle::kGeneral, std::move(values));
  grid.add({.kind = ChartKind::kBars,
            .title = row.label,
            .series = {{.name = row.label,
                        .values = range,
                        .categories = engines,
                        .colour = std::string(kBlue)}},
            .x = {},
            .y = {.name = axis}});
}

// One bar per engine, of the times of all groups.
void stacked_groups(Grid& grid, ChartData& data, const CellRange& engines, const std::string& title,
                    const std::vector<analyze::GroupRow>& groups, bool of_means, bool is_type) {
  const Palette palette(Theme::kLight, PaletteName::kPlanex);
  Chart chart{.kind = ChartKind::kStackedBars,
              .title = title,
              .y = {.name = "Time (ms)", .number_format = "0.000"},
              .has_legend = true};
  for (const analyze::GroupRow& group : groups) {
    if (chart.series.size() >= kMaxColours) break;
    std::vector<Value> values;
    for (const auto& value : of_means ? group.mean_ms : group.median_ms) {
      values.push_back(value_of(value));
    }
    const CellRange range =
        data.add(format("{} (ms)", group.key), CellStyle::kMs, std::move(values));
    const std::string_view colour = is_type ? palette.layer(group.family, group.key)
                                            : palette.precision(model::dtype_of(group.key));
    chart.series.push_back({.name = group.key,
                            .values = range,
                            .categories = engines,
                            .colour = std::string(colour.empty() ? kGrey : colour)});
  }
  if (!chart.series.empty()) grid.add(chart);
}

}  // namespace

void draw_comparison_charts(Sheet& sheet, ChartData& data, const analyze::Comparison& comparison) {
  Grid grid(sheet);
  std::vector<Value> labels;
  bool of_means = false;
  for (const analyze::ComparedEngine& engine : comparison.engines) {
    labels.emplace_back(engine.label);
    of_means = of_means || engine.basis == analyze::TimeBasis::kMean;
  }
  const CellRange engines = data.add("Engine", CellStyle::kText, std::move(labels));
  for (const analyze::TotalRow& row : comparison.totals) {
    if (row.metric == "end_to_end_median_ms" || row.metric == "layers_time_ms") {
      engines_bar(grid, data, engines, row, "Time (ms)");
    }
    if (row.metric == "peak_activation_bytes" || row.metric == "weight_bytes") {
      engines_bar(grid, data, engines, row, "Bytes");
    }
  }
  stacked_groups(grid, data, engines, "Time by type (ms)", comparison.by_type, of_means, true);
  stacked_groups(grid, data, engines, "Time by precision (ms)", comparison.by_precision, of_means,
                 false);
}

}  // namespace planex::render
