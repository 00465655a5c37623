#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/reformats/reformats.h"
#include "base/text.h"
#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/fields/reformats.h"
#include "render/text/grid.h"
#include "render/text/screen.h"
#include "render/words/display_width.h"
#include "render/words/explain_names.h"
#include "render/words/numbers.h"
#include "render/words/reformat_sentences.h"
#include "session/answer/format.h"
#include "session/explain/topic.h"

namespace planex::session::reformats_topic {
namespace {

using analyze::LayerTotals;
using analyze::ReformatExplanation;
using analyze::ReformatGroup;
using analyze::ReformatRow;
using base::bytes_text;
using base::counted;
using base::format;
using base::ms_text;
using base::percent_text;
using base::printable;
using model::PlanModel;
using render::Alignment;
using render::end_text;
using render::Grid;
using render::Ink;
using render::reformat_advice;
using render::reformat_cause;
using render::reformat_row_fields;
using render::reformats_document;
using render::reported_name;
using render::Screen;
using render::ScreenSize;
using render::short_time_text;
using render::ShownIn;
using render::type_text;

constexpr std::size_t kShownGroups = 6;
constexpr std::size_t kShownReformatRows = 6;

model::Value integer(std::optional<std::int64_t> value) { return model::value_of(value); }

// "FP32 NCHW → FP16 NC/32HW32"; an unchanged layout is printed once.
std::string ends_text(const PlanModel& model, const ReformatRow& row) {
  if (!row.to) return "?";
  if (!row.from) {
    return format("{} (weights) → {}", type_text(row.from_type), end_text(model, *row.to));
  }
  if (row.kind == analyze::ConversionKind::kRoundTrip) {
    return format("{} → quantized → {}", end_text(model, *row.from), end_text(model, *row.to));
  }
  std::string result =
      row.type_differs && !row.layout_differs
          ? format("{} → {}", type_text(row.from_type), end_text(model, *row.to))
          : format("{} → {}", end_text(model, *row.from), end_text(model, *row.to));
  if (row.strides_differ) result += ", other strides";
  return result;
}

std::string time_and_share(const LayerTotals& totals) {
  std::string result;
  if (totals.time_ms) result = short_time_text(*totals.time_ms);
  if (totals.share) result += format("  {}", percent_text(*totals.share));
  if (!totals.time_ms && totals.io_bytes) {
    result = format("moves {}", bytes_text(static_cast<double>(*totals.io_bytes)));
  }
  return result;
}

model::DataTable reformat_totals_table(const ReformatExplanation& explanation) {
  model::DataTable table;
  table.columns = {{"", "", false},
                   {"layers", "count", true},
                   {explanation.basis == analyze::TimeBasis::kMean ? "mean" : "median", "ms", true},
                   {"of Σ layers", "ratio", true},
                   {"moved", "bytes", true}};
  const auto add = [&](std::string label, const LayerTotals& totals) {
    std::vector<model::Value> row;
    row.emplace_back(std::move(label));
    row.emplace_back(static_cast<std::int64_t>(totals.count));
    row.push_back(model::value_of(totals.time_ms));
    row.push_back(model::value_of(totals.share));
    row.push_back(integer(totals.io_bytes));
    table.rows.push_back(std::move(row));
  };
  if (explanation.by_model.count > 0) add("avoidable, in the model", explanation.by_model);
  if (explanation.by_caller.count > 0) add("avoidable, by the caller", explanation.by_caller);
  if (explanation.needed.count > 0) add("needed", explanation.needed);
  if (explanation.unclear.count > 0) add("unclear", explanation.unclear);
  add("all", explanation.all);
  return table;
}

std::string kinds_text(const ReformatExplanation& explanation) {
  std::string result;
  for (const analyze::ReformatsOfWord& word : explanation.by_type) {
    if (!result.empty()) result += ", ";
    result +=
        format("{} × {}", word.totals.count, word.word.empty() ? "no type" : printable(word.word));
  }
  return result;
}

std::string reformat_headline(const ReformatExplanation& explanation) {
  const LayerTotals& all = explanation.all;
  std::string text =
      counted(all.count, "layer") + (all.count == 1 ? " only converts" : " only convert");
  if (all.time_ms && explanation.layers_ms) {
    text += format(": {} ms", ms_text(*all.time_ms));
    if (all.share) text += format(", {}", percent_text(*all.share));
    text += format(" of Σ layers ({} ms)", ms_text(*explanation.layers_ms));
  } else if (all.io_bytes) {
    text += format(": they move {}; no layer times, so their cost is unknown",
                   bytes_text(static_cast<double>(*all.io_bytes)));
  }
  return text;
}

std::string unknown_text(const ReformatExplanation& explanation) {
  return format("whether {} {} is unknown: the files have no layer types",
                counted(explanation.unknown_count, "layer"),
                explanation.unknown_count == 1 ? "converts" : "convert");
}

std::string nothing_found(const PlanModel& model, const ReformatExplanation& explanation) {
  if (model.layers.row_count() == 0) return "no layers are known";
  if (explanation.unknown_count > 0) return unknown_text(explanation);
  return "no layer only converts type or layout";
}

std::string root_text(const PlanModel& model, const ReformatExplanation& explanation,
                      const ReformatGroup& group) {
  const bool has_end = !group.rows.empty() && explanation.rows[group.rows[0]].to;
  const std::string root = !group.root.is_null() ? reported_name(model, group.root)
                           : has_end             ? "weights, in every inference"
                                                 : "unknown tensors";
  if (!group.writer.is_null()) {
    return format("{}, written by {}", root, reported_name(model, group.writer));
  }
  const bool is_input = !group.rows.empty() && explanation.rows[group.rows[0]].at_engine_input;
  return is_input ? root + ", the engine's input" : root;
}

Grid chain_grid(const PlanModel& model, const ReformatExplanation& explanation,
                std::span<const std::size_t> rows) {
  Grid grid({{}, {Alignment::kRight}, {Alignment::kLeft, true}});
  for (const std::size_t index : rows) {
    const ReformatRow& row = explanation.rows[index];
    grid.add_row({{ends_text(model, row)},
                  {row.time_ms ? short_time_text(*row.time_ms) : ""},
                  {printable(model.text(model.layers.name[row.layer.index()])), Ink::kFaint}});
  }
  return grid;
}

std::string verdict_text(const ReformatRow& row) {
  std::string text(to_string(row.verdict));
  if (row.changed_by == analyze::ChangedBy::kCaller) text += " by the caller";
  return text;
}

// Each reason of a chain once; with all, once for each layer that it is about.
void add_reasons(Screen& screen, const PlanModel& model, const ReformatExplanation& explanation,
                 const ReformatGroup& group, bool all) {
  std::map<analyze::ReformatReason, std::set<model::LayerId>> subjects;
  for (const std::size_t index : group.rows) {
    subjects[explanation.rows[index].reason].insert(explanation.rows[index].cause_layer);
  }
  for (const std::size_t index : group.rows) {
    const ReformatRow& row = explanation.rows[index];
    const auto entry = subjects.find(row.reason);
    if (entry == subjects.end() || entry->second.erase(row.cause_layer) == 0) continue;
    std::string cause = reformat_cause(model, row);
    if (!all) {
      if (!entry->second.empty()) cause += format("; {} more like it", entry->second.size());
      subjects.erase(entry);
    }
    screen.add({.words = format("{}: {}", verdict_text(row), cause), .indent = 6, .hang = 2},
               ShownIn::kText);
    screen.add({.words = reformat_advice(model, row), .indent = 6}, ShownIn::kText);
  }
}

void add_chain(Screen& screen, const PlanModel& model, const ReformatExplanation& explanation,
               const ReformatGroup& group, const ScreenSize& size) {
  screen.add_gap();
  screen.add({.strong = time_and_share(group.totals),
              .words = format(": {}", root_text(model, explanation, group)),
              .indent = 4,
              .hang = 4},
             ShownIn::kText);
  const std::size_t count = group.rows.size();
  const std::size_t shown = size.of(count, kShownReformatRows);
  screen.add(chain_grid(model, explanation, std::span(group.rows).first(shown)), 4);
  if (shown < count) screen.add_line(format("    … {} more", count - shown));
  add_reasons(screen, model, explanation, group, size.all);
}

std::string more_chains_text(const ReformatExplanation& explanation, std::size_t shown) {
  LayerTotals totals;
  double time = 0;
  bool timed = false;
  for (const ReformatGroup& group : std::span(explanation.groups).subspan(shown)) {
    totals.count += group.totals.count;
    if (const auto ms = group.totals.time_ms) {
      time += *ms;
      timed = true;
    }
  }
  return format("… {} of {}{}: --all shows them, as do --format json and csv",
                counted(explanation.groups.size() - shown, "more chain"),
                counted(totals.count, "layer"), timed ? format(", {} ms", ms_text(time)) : "");
}

Grid reformat_list(const PlanModel& model, const ReformatExplanation& explanation) {
  Grid grid({{}, {}, {Alignment::kRight}, {}, {}, {}, {Alignment::kRight}});
  grid.add_row(
      {{"layer"}, {"converts"}, {"time"}, {"verdict"}, {"why"}, {"what to do"}, {"worth"}});
  const auto ms = [](const std::optional<double>& time) {
    return time ? format("{} ms", ms_text(*time)) : std::string("–");
  };
  for (const ReformatGroup& group : explanation.groups) {
    for (const std::size_t index : group.rows) {
      const ReformatRow& row = explanation.rows[index];
      grid.add_row({{std::string(model.text(model.layers.name[row.layer.index()]))},
                    {ends_text(model, row)},
                    {ms(row.time_ms)},
                    {std::string(to_string(row.verdict))},
                    {reformat_cause(model, row)},
                    {reformat_advice(model, row)},
                    {ms(row.worth_ms)}});
    }
  }
  return grid;
}

Screen screen_of(const PlanModel& model, const ReformatExplanation& explanation,
                 const ScreenSize& size) {
  const std::string_view name = model.text(model.engine.name[0]);
  if (explanation.rows.empty()) {
    Screen screen = Screen::headed(name, reformat_headline(explanation), ShownIn::kMarkdown);
    screen.add_line(nothing_found(model, explanation));
    screen.add(reformat_totals_table(explanation), ShownIn::kMarkdown);
    return screen;
  }
  Screen screen = Screen::headed(name, reformat_headline(explanation));
  screen.add({.words = "they are: " + kinds_text(explanation), .indent = 2}, ShownIn::kText);
  if (explanation.unknown_count > 0) {
    screen.add({.words = unknown_text(explanation), .indent = 2}, ShownIn::kText);
  }
  screen.add_gap();
  screen.add(reformat_totals_table(explanation));
  const std::size_t count = explanation.groups.size();
  const std::size_t shown = size.of(count, kShownGroups);
  for (const ReformatGroup& group : std::span(explanation.groups).first(shown)) {
    add_chain(screen, model, explanation, group, size);
  }
  screen.add_gap();
  if (shown < count) {
    screen.add({.words = more_chains_text(explanation, shown)}, ShownIn::kText);
  }
  screen.add({.words = "worth: the measured time of the layer itself; savings in its neighbors "
                       "from moving fewer bytes come on top (planex lint)"},
             ShownIn::kText);
  screen.list(reformat_list(model, explanation));
  return screen;
}

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_reformats(model, engine.summary.time);
  return take(
      {.document = {reformats_document(), explanation, model},
       .rows = [&] { return record::rows_of(explanation.rows, reformat_row_fields(), model); },
       .screen = [&](const ScreenSize& size) { return screen_of(model, explanation, size); },
       .all = request.all});
}

constexpr Topic kTopic = {.name = "reformats",
                          .summary = "why each is there, which can be removed",
                          .document = [] { return record::DocumentInfo(reformats_document()); },
                          .explain = explain};

}  // namespace
}  // namespace planex::session::reformats_topic

PLANEX_TOPIC(reformats)
