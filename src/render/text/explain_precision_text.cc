#include "render/text/explain_precision_text.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "render/markdown/table_markdown.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/explain_names.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::IslandEnds;
using analyze::IslandLayer;
using analyze::IslandRole;
using analyze::LayerTotals;
using analyze::PrecisionExplanation;
using analyze::PrecisionIsland;
using base::counted;
using base::format;
using model::PlanModel;
using model::text_or_null;

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

class PrecisionScreen {
 public:
  PrecisionScreen(const PlanModel& model, const PrecisionExplanation& explanation, bool all,
                  const TableStyle& style)
      : model_(model),
        explanation_(explanation),
        all_(all),
        style_(style),
        width_(style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0))) {}

  std::string render() {
    text_ +=
        wrapped(painted(printable(precision_headline(explanation_)), Ink::kStrong, style_.color),
                width_, 0);
    if (explanation_.all.count == 0) return std::move(text_);
    line("");
    TableStyle table_style = style_;
    table_style.indent = 2;
    text_ += text_table(cells_table(explanation_), table_style);
    line("");
    islands();
    return std::move(text_);
  }

 private:
  void line(std::string_view content) { text_.append(content).append("\n"); }

  void islands() {
    if (explanation_.base == analyze::IslandBase::kNone) {
      // A layer of unknown type may be quantized, or in FP16.
      if (explanation_.unknown.count == explanation_.all.count) return;
      text_ += wrapped(format("no layer{} is quantized, and FP32 and FP16 do not both occur: no "
                              "layer is forced by a tensor of another precision",
                              explanation_.unknown.count > 0 ? " whose types are known" : ""),
                       width_, 0);
      return;
    }
    const std::size_t count = explanation_.islands.size();
    const std::size_t shown = all_ ? count : std::min(kShownIslands, count);
    for (std::size_t i = 0; i < shown; ++i) island(explanation_.islands[i]);
    if (shown < count) {
      LayerTotals rest;
      double time = 0;
      bool timed = false;
      for (std::size_t i = shown; i < count; ++i) {
        rest.count += explanation_.islands[i].all.count;
        if (const auto ms = explanation_.islands[i].all.time_ms) {
          time += *ms;
          timed = true;
        }
      }
      text_ += wrapped(format("… {} with {}{}: --all shows them, as do --format json and csv",
                              counted(count - shown, "more island"), counted(rest.count, "layer"),
                              timed ? format(", {} ms", ms_text(time)) : ""),
                       width_, 0);
    }
  }

  void island(const PrecisionIsland& island) {
    const bool is_input = model_.tensors.role[island.root.index()] == model::TensorRole::kInput;
    const std::string writer = !island.root_writer.is_null()
                                   ? "written by " + reported_name(model_, island.root_writer)
                               : is_input ? "the engine's input"
                                          : "which no layer writes";
    text_ +=
        wrapped_hanging(format("{}: {}, {}",
                               painted(format("{} {}", type_text(island.root_type),
                                              island_ends_text(island.ends, explanation_.base)),
                                       Ink::kStrong, style_.color),
                               reported_name(model_, island.root), writer),
                        width_, 2, 2);
    text_ += wrapped(island_text(island, explanation_.base), width_, 2);
    const std::size_t shown =
        all_ ? island.layers.size() : std::min(kShownLayers, island.layers.size());
    Grid grid({{}, {}, {Alignment::kRight}, {Alignment::kLeft, true}});
    for (std::size_t i = 0; i < shown; ++i) {
      const IslandLayer& entry = island.layers[i];
      const auto time = model_.time_ms(entry.layer);
      grid.add_row(
          {{std::string(role_text(entry.role))},
           {precision_flow_text(model_, entry.layer)},
           {time ? short_time_text(*time) : ""},
           {printable(model_.text(model_.layers.name[entry.layer.index()])), Ink::kFaint}});
    }
    for (const std::string& one : grid.lines(width_, 4, style_.color)) line(one);
    if (shown < island.layers.size()) line(format("    … {} more", island.layers.size() - shown));
    line("");
  }

  const PlanModel& model_;
  const PrecisionExplanation& explanation_;
  bool all_;
  TableStyle style_;
  std::size_t width_;
  std::string text_;
};

}  // namespace

std::string explain_precision_text(const PlanModel& model, const PrecisionExplanation& explanation,
                                   bool all, const TableStyle& style) {
  return PrecisionScreen(model, explanation, all, style).render();
}

std::string explain_precision_markdown(const PlanModel& model,
                                       const PrecisionExplanation& explanation) {
  std::string text = format("**{}**: {}\n\n", markdown_text(model.text(model.engine.name[0])),
                            markdown_text(precision_headline(explanation)));
  text += markdown_table(cells_table(explanation));
  for (const PrecisionIsland& island : explanation.islands) {
    text += format("\n**{} {}**, {}: {}\n\n| layer | role | reads → writes | time |\n",
                   type_text(island.root_type), island_ends_text(island.ends, explanation.base),
                   markdown_text(reported_name(model, island.root)),
                   markdown_text(island_text(island, explanation.base)));
    text += "|---|---|---|---:|\n";
    for (const IslandLayer& entry : island.layers) {
      const auto time = model.time_ms(entry.layer);
      text += format("| {} | {} | {} | {} |\n",
                     markdown_text(model.text(model.layers.name[entry.layer.index()])),
                     role_text(entry.role), markdown_text(precision_flow_text(model, entry.layer)),
                     time ? format("{} ms", ms_text(*time)) : "–");
    }
  }
  return text;
}

}  // namespace planex::render
