#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "analyze/explain/precision.h"
#include "base/text.h"
#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/fields/precision.h"
#include "render/text/grid.h"
#include "render/text/screen.h"
#include "render/words/display_width.h"
#include "render/words/explain_names.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"
#include "session/answer/format.h"
#include "session/explain/topic.h"

namespace planex::session::precision_topic {
namespace {

using analyze::IslandEnds;
using analyze::IslandLayer;
using analyze::IslandRole;
using analyze::LayerTotals;
using analyze::PrecisionExplanation;
using analyze::PrecisionIsland;
using base::bytes_text;
using base::counted;
using base::format;
using base::ms_text;
using base::percent_text;
using base::printable;
using model::PlanModel;
using model::text_or_null;
using render::Alignment;
using render::Grid;
using render::Ink;
using render::precision_document;
using render::precision_flow_text;
using render::precision_row_fields;
using render::precision_rows;
using render::reported_name;
using render::Screen;
using render::ScreenSize;
using render::short_time_text;
using render::ShownIn;
using render::type_text;

constexpr std::size_t kShownIslands = 3;
constexpr std::size_t kShownLayers = 12;

std::string_view time_head(const PrecisionExplanation& explanation) {
  return explanation.basis == analyze::TimeBasis::kMean ? "mean" : "median";
}

model::DataTable cells_table(const PrecisionExplanation& explanation) {
  model::DataTable table;
  table.columns = {{"reads", "", false},
                   {"writes", "", false},
                   {"layers", "count", true},
                   {std::string(time_head(explanation)), "ms", true},
                   {"of Σ layers", "ratio", true},
                   {"moved", "bytes", true},
                   {"conversions", "count", true},
                   {"conversions", "ms", true},
                   {"matrix layers", "count", true},
                   {"matrix layers", "ms", true}};
  const auto add = [&](model::Value from, model::Value to, const LayerTotals& all,
                       const LayerTotals* conversions, const LayerTotals* matrix) {
    std::vector<model::Value> row = {std::move(from), std::move(to),
                                     static_cast<std::int64_t>(all.count)};
    row.push_back(model::value_of(all.time_ms));
    row.push_back(model::value_of(all.share));
    row.push_back(model::value_of(all.io_bytes));
    for (const LayerTotals* part : {conversions, matrix}) {
      if (part == nullptr || part->count == 0) {
        row.emplace_back(std::monostate{});
        row.emplace_back(std::monostate{});
        continue;
      }
      row.emplace_back(static_cast<std::int64_t>(part->count));
      row.push_back(model::value_of(part->time_ms));
    }
    table.rows.push_back(std::move(row));
  };
  for (const analyze::PrecisionCell& cell : explanation.cells) {
    add(text_or_null(to_string(cell.from)), text_or_null(to_string(cell.to)), cell.all,
        &cell.conversions, &cell.matrix);
  }
  add(std::string("all"), std::monostate{}, explanation.all, nullptr, nullptr);
  return table;
}

std::string precision_headline(const PrecisionExplanation& explanation) {
  const LayerTotals& changing = explanation.changing;
  if (explanation.all.count == 0) return "no layers are known";
  if (explanation.unknown.count == explanation.all.count) {
    return format("which types {} reads and writes is unknown: the files do not record them",
                  explanation.all.count == 1
                      ? "the layer"
                      : format("any of {}", counted(explanation.all.count, "layer")));
  }
  const std::string unknown =
      explanation.unknown.count == 0
          ? std::string()
          : format("; the types of {} are not known", counted(explanation.unknown.count, "layer"));
  if (changing.count == 0) {
    const std::size_t known = explanation.all.count - explanation.unknown.count;
    return format("none of {} writes a different type from the one it reads{}",
                  counted(known, "layer"), unknown);
  }
  std::string text = format("{} of {} write a different type from the one they read",
                            changing.count, counted(explanation.all.count, "layer"));
  if (changing.time_ms) text += format(": {} ms", ms_text(*changing.time_ms));
  if (changing.share) text += format(", {} of Σ layers", percent_text(*changing.share));
  return text + unknown;
}

std::string_view island_ends_text(IslandEnds ends, analyze::IslandBase base) {
  const bool half = base == analyze::IslandBase::kHalf;
  switch (ends) {
    case IslandEnds::kBetween:
      return half ? "between FP16 layers" : "between quantized layers";
    case IslandEnds::kHead:
      return "up to the engine's output";
    case IslandEnds::kStem:
      return "from the engine's input on";
    case IslandEnds::kAlone:
      break;
  }
  return "by itself";
}

std::string_view role_text(IslandRole role) {
  switch (role) {
    case IslandRole::kWritesWide:
      return "writes it";
    case IslandRole::kRunsWide:
      return "runs in it";
    case IslandRole::kReadsWide:
      return "adds it";
    case IslandRole::kConverts:
      break;
  }
  return "converts";
}

// What it costs, and how much it would move in a smaller type: one sentence.
std::string island_text(const PrecisionIsland& island, analyze::IslandBase base) {
  std::string text = counted(island.all.count, "layer");
  if (island.all.time_ms) text += format(", {} ms", ms_text(*island.all.time_ms));
  if (island.all.share) text += format(" ({} of Σ layers)", percent_text(*island.all.share));
  if (island.conversions.count > 0) {
    text += format("; {} of them only convert", island.conversions.count);
    if (island.conversions.time_ms) {
      text += format(", {} ms", ms_text(*island.conversions.time_ms));
    }
  }
  if (island.wide_bytes && island.narrow_bytes) {
    text += format("; {} moved in float would be {} in {}",
                   bytes_text(static_cast<double>(*island.wide_bytes)),
                   bytes_text(static_cast<double>(*island.narrow_bytes)),
                   base == analyze::IslandBase::kHalf ? "FP16" : "INT8");
  }
  return text;
}

std::string layer_text(const PlanModel& model, model::LayerId layer) {
  return std::string(model.text(model.layers.name[layer.index()]));
}

// What the islands leave out of `shown` are.
std::string more_islands_text(const PrecisionExplanation& explanation, std::size_t shown) {
  LayerTotals rest;
  double time = 0;
  bool timed = false;
  for (const PrecisionIsland& island : std::span(explanation.islands).subspan(shown)) {
    rest.count += island.all.count;
    if (const auto ms = island.all.time_ms) {
      time += *ms;
      timed = true;
    }
  }
  return format("… {} with {}{}: --all shows them, as do --format json and csv",
                counted(explanation.islands.size() - shown, "more island"),
                counted(rest.count, "layer"), timed ? format(", {} ms", ms_text(time)) : "");
}

Grid island_grid(const PlanModel& model, std::span<const IslandLayer> layers) {
  Grid grid({{}, {}, {Alignment::kRight}, {Alignment::kLeft, true}});
  for (const IslandLayer& entry : layers) {
    const auto time = model.time_ms(entry.layer);
    grid.add_row({{std::string(role_text(entry.role))},
                  {precision_flow_text(model, entry.layer)},
                  {time ? short_time_text(*time) : ""},
                  {printable(layer_text(model, entry.layer)), Ink::kFaint}});
  }
  return grid;
}

Grid island_list(const PlanModel& model, std::span<const IslandLayer> layers) {
  Grid grid({{}, {}, {}, {Alignment::kRight}});
  grid.add_row({{"layer"}, {"role"}, {"reads → writes"}, {"time"}});
  for (const IslandLayer& entry : layers) {
    const auto time = model.time_ms(entry.layer);
    grid.add_row({{layer_text(model, entry.layer)},
                  {std::string(role_text(entry.role))},
                  {precision_flow_text(model, entry.layer)},
                  {time ? format("{} ms", ms_text(*time)) : "–"}});
  }
  return grid;
}

std::string island_name(const PrecisionIsland& island, analyze::IslandBase base) {
  return format("{} {}", type_text(island.root_type), island_ends_text(island.ends, base));
}

void add_island(Screen& screen, const PlanModel& model, const PrecisionIsland& island,
                analyze::IslandBase base, const ScreenSize& size) {
  const bool is_input = model.tensors.role[island.root.index()] == model::TensorRole::kInput;
  const std::string writer = !island.root_writer.is_null()
                                 ? "written by " + reported_name(model, island.root_writer)
                             : is_input ? "the engine's input"
                                        : "which no layer writes";
  screen.add({.strong = island_name(island, base),
              .words = format(": {}, {}", reported_name(model, island.root), writer),
              .indent = 2,
              .hang = 2},
             ShownIn::kText);
  screen.add({.words = island_text(island, base), .indent = 2}, ShownIn::kText);
  const std::size_t count = island.layers.size();
  const std::size_t shown = size.of(count, kShownLayers);
  screen.add(island_grid(model, std::span(island.layers).first(shown)), 4);
  if (shown < count) screen.add_line(format("    … {} more", count - shown));
  screen.add_gap();
}

void list_island(Screen& screen, const PlanModel& model, const PrecisionIsland& island,
                 analyze::IslandBase base) {
  screen.add(
      {.strong = island_name(island, base),
       .words = format(", {}: {}", reported_name(model, island.root), island_text(island, base))},
      ShownIn::kMarkdown);
  screen.list(island_list(model, island.layers));
}

// Empty where a layer of unknown type may be quantized, or in FP16.
std::string no_islands_text(const PrecisionExplanation& explanation) {
  if (explanation.unknown.count == explanation.all.count) return {};
  return format(
      "no layer{} is quantized, and FP32 and FP16 do not both occur: no layer is forced "
      "by a tensor of another precision",
      explanation.unknown.count > 0 ? " whose types are known" : "");
}

Screen screen_of(const PlanModel& model, const PrecisionExplanation& explanation,
                 const ScreenSize& size) {
  Screen screen = Screen::headed(model.text(model.engine.name[0]), precision_headline(explanation));
  screen.add(cells_table(explanation), ShownIn::kMarkdown);
  if (explanation.all.count > 0) {
    screen.add_gap();
    screen.add(cells_table(explanation), ShownIn::kText);
    screen.add_gap();
  }
  const std::size_t count = explanation.islands.size();
  const std::size_t shown = size.of(count, kShownIslands);
  for (const PrecisionIsland& island : std::span(explanation.islands).first(shown)) {
    add_island(screen, model, island, explanation.base, size);
  }
  if (shown < count) {
    screen.add({.words = more_islands_text(explanation, shown)}, ShownIn::kText);
  }
  if (explanation.base == analyze::IslandBase::kNone && explanation.all.count > 0) {
    if (std::string words = no_islands_text(explanation); !words.empty()) {
      screen.add({.words = std::move(words)}, ShownIn::kText);
    }
  }
  for (const PrecisionIsland& island : explanation.islands) {
    list_island(screen, model, island, explanation.base);
  }
  return screen;
}

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_precision(model, engine.summary.time);
  return take(
      {.document = {precision_document(), explanation, model},
       .rows =
           [&] {
             return record::rows_of(precision_rows(model, explanation), precision_row_fields(),
                                    model);
           },
       .screen = [&](const ScreenSize& size) { return screen_of(model, explanation, size); },
       .all = request.all});
}

constexpr Topic kTopic = {.name = "precision",
                          .summary = "where types change",
                          .document = [] { return record::DocumentInfo(precision_document()); },
                          .explain = explain};

}  // namespace
}  // namespace planex::session::precision_topic

PLANEX_TOPIC(precision)
