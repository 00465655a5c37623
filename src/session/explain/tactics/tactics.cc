#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/explain/tactics.h"
#include "base/text.h"
#include "base/try.h"
#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/fields/tactics.h"
#include "render/tables/record_table.h"
#include "render/text/grid.h"
#include "render/text/screen.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/tactic_sentences.h"
#include "session/answer/format.h"
#include "session/explain/topic.h"

namespace planex::session::tactics_topic {
namespace {

using analyze::LayerTactics;
using analyze::TacticExplanation;
using base::format;
using base::percent_text;
using base::printable;
using model::PlanModel;
using render::Alignment;
using render::Grid;
using render::Ink;
using render::margin_text;
using render::or_dash;
using render::phase_text;
using render::Screen;
using render::ScreenSize;
using render::short_time_text;
using render::size_text;
using render::table_of;
using render::tactic_row_fields;
using render::tactic_sentences;
using render::tactic_time_text;
using render::tactics_document;

constexpr std::size_t kMaxTacticLayers = 15;
constexpr std::size_t kMaxCandidates = 8;
constexpr std::size_t kMaxTacticRows = 30;

// The kernel's name, else the implementation's with its tactic.
std::string kernel_text(std::string_view name, std::string_view runner, std::string_view tactic) {
  if (!name.empty()) return printable(name);
  if (runner.empty()) return "–";
  return format("{} {}", printable(runner), printable(tactic));
}

std::string choice_text(const PlanModel& model, const std::optional<std::size_t>& row) {
  if (!row) return "–";
  const model::TacticChoicesTable& choices = model.tactic_choices;
  return kernel_text(model.text(choices.tactic_name[*row]), model.text(choices.runner[*row]),
                     model.text(choices.tactic[*row]));
}

std::string candidate_text(const PlanModel& model, const std::optional<std::size_t>& row) {
  if (!row) return "–";
  const model::TacticsTable& tactics = model.tactics;
  return kernel_text(model.text(tactics.tactic_name[*row]), model.text(tactics.runner[*row]),
                     model.text(tactics.tactic[*row]));
}

std::string time_text(const std::optional<double>& ms) { return ms ? tactic_time_text(*ms) : "–"; }

std::string verdict(const LayerTactics& layer) {
  std::string text;
  if (layer.is_within_noise.value_or(false)) text = "within noise";
  if (layer.gain_ms) {
    text += format("{}{} faster in other formats", text.empty() ? "" : "; ",
                   tactic_time_text(*layer.gain_ms));
    if (layer.conversion_ms) {
      text += format(", conversions {}", tactic_time_text(*layer.conversion_ms));
    }
  }
  return text;
}

// Closest choices first, layers whose choice is not known last.
std::vector<const LayerTactics*> closest_first(const TacticExplanation& explanation) {
  std::vector<const LayerTactics*> layers;
  for (const LayerTactics& layer : explanation.layers) layers.push_back(&layer);
  std::ranges::stable_sort(layers, {}, [](const LayerTactics* layer) {
    return std::pair(!layer->used.has_value(), layer->margin_share.value_or(1e300));
  });
  return layers;
}

Grid layers_grid(const PlanModel& model, const std::vector<const LayerTactics*>& layers,
                 std::size_t count) {
  Grid grid({{Alignment::kLeft, true},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kLeft, true}});
  grid.add_row({{"layer, its kernel, the runner-up", Ink::kFaint},
                {"time", Ink::kFaint},
                {"margin", Ink::kFaint},
                {"", Ink::kFaint}});
  for (std::size_t i = 0; i < std::min(count, layers.size()); ++i) {
    const LayerTactics& layer = *layers[i];
    grid.add_row({{printable(model.text(layer.name)), Ink::kStrong}});
    if (!layer.used) {
      grid.add_row({{format("  the log does not say which of {} is used",
                            base::counted(layer.choices.size(), "combination of formats",
                                          "combinations of formats")),
                     Ink::kFaint}});
      continue;
    }
    grid.add_row({{"  " + choice_text(model, layer.used)},
                  {time_text(layer.time_ms), Ink::kStrong},
                  {margin_text(layer.margin_ms, layer.margin_share)},
                  {verdict(layer), Ink::kFaint}});
    if (layer.runner_up) {
      grid.add_row({{"  " + candidate_text(model, layer.runner_up), Ink::kFaint},
                    {time_text(layer.runner_up_ms), Ink::kFaint}});
    }
  }
  return grid;
}

Grid formats_grid(const PlanModel& model, const LayerTactics& layer) {
  const model::TacticChoicesTable& choices = model.tactic_choices;
  Grid grid({{Alignment::kLeft, true}, {Alignment::kRight}, {Alignment::kLeft, true}});
  grid.add_row(
      {{"formats considered", Ink::kFaint}, {"time", Ink::kFaint}, {"fastest", Ink::kFaint}});
  std::vector<std::size_t> rows = layer.choices;
  std::ranges::stable_sort(
      rows, {}, [&](std::size_t row) { return choices.time_ms.get(row).value_or(1e300); });
  for (const std::size_t row : rows) {
    const bool is_used = layer.used == row;
    grid.add_row({{format("{}{} → {}", is_used ? "✓ " : "  ",
                          printable(model.text(choices.input_formats[row])),
                          printable(model.text(choices.output_formats[row]))),
                   is_used ? Ink::kStrong : Ink::kPlain},
                  {time_text(choices.time_ms.get(row))},
                  {choice_text(model, row), Ink::kFaint}});
  }
  return grid;
}

Grid candidates_grid(const PlanModel& model, std::span<const std::size_t> rows, std::size_t count) {
  const model::TacticsTable& tactics = model.tactics;
  Grid grid({{Alignment::kLeft, true}, {Alignment::kRight}, {Alignment::kLeft}});
  grid.add_row({{"candidate", Ink::kFaint}, {"time", Ink::kFaint}, {"", Ink::kFaint}});
  for (std::size_t i = 0; i < std::min(count, rows.size()); ++i) {
    const std::size_t row = rows[i];
    std::string outcome;
    const std::string_view word = model.text(tactics.outcome[row]);
    if (word != "timed") outcome = printable(word);
    if (const auto bytes = tactics.requested_bytes.get(row)) {
      outcome += format(": {} requested", size_text(*bytes));
    }
    grid.add_row({{candidate_text(model, row)},
                  {time_text(tactics.time_ms.get(row))},
                  {outcome, Ink::kFaint}});
  }
  return grid;
}

Grid phases_grid(const TacticExplanation& explanation) {
  Grid grid({{Alignment::kLeft, true}, {Alignment::kRight}, {Alignment::kRight}});
  grid.add_row({{"the build", Ink::kFaint}, {"time", Ink::kFaint}, {"share", Ink::kFaint}});
  for (const analyze::BuildPhase& phase : explanation.build.phases) {
    const std::size_t depth = phase.within.empty() ? 0 : phase.within == "timing-layers" ? 2 : 1;
    grid.add_row({{std::string(2 * depth, ' ') + phase_text(phase.phase)},
                  {short_time_text(phase.seconds * 1000)},
                  {or_dash(phase.share, percent_text)}});
  }
  return grid;
}

Screen screen_of(const PlanModel& model, const TacticExplanation& explanation, bool is_chosen,
                 const ScreenSize& size) {
  Screen screen = Screen::titled("tactics", model.text(model.engine.name[0]));
  for (const std::string& line : tactic_sentences(model, explanation)) screen.say(line);
  const std::vector<const LayerTactics*> layers = closest_first(explanation);
  if (explanation.has_times && !layers.empty()) {
    const std::size_t shown = size.of(layers.size(), kMaxTacticLayers);
    screen.show(layers_grid(model, layers, shown), layers.size(), shown);
  }
  if (is_chosen) {
    for (const LayerTactics* layer : layers) {
      screen.show(formats_grid(model, *layer));
      const std::size_t count = layer->fastest_first.size();
      if (count == 0) continue;
      const std::size_t shown = size.of(count, kMaxCandidates);
      screen.show(candidates_grid(model, layer->fastest_first, shown), count, shown);
    }
  } else if (!explanation.build.phases.empty()) {
    screen.show(phases_grid(explanation));
  }
  model::DataTable table = table_of(explanation.layers, tactic_row_fields(), model);
  if (table.rows.empty()) return screen;
  const std::size_t shown = size.of(table.rows.size(), kMaxTacticRows);
  screen.list_rows(std::move(table), shown);
  return screen;
}

// Keeps the layer of this name or id; if none matches, the layers whose names contain the text.
Result<void> keep_layers(const model::PlanModel& model, const std::string& wanted,
                         std::vector<LayerTactics>& layers) {
  std::size_t id = 0;
  const char* end = wanted.data() + wanted.size();
  const auto parsed = std::from_chars(wanted.data(), end, id);
  const bool is_id = parsed.ec == std::errc() && parsed.ptr == end;
  const auto is_it = [&](const LayerTactics& layer) {
    return model.text(layer.name) == wanted ||
           (is_id && !layer.layer.is_null() && layer.layer.index() == id);
  };
  const bool is_exact = std::ranges::any_of(layers, is_it);
  std::vector<LayerTactics> kept;
  for (LayerTactics& layer : layers) {
    const bool has_text = model.text(layer.name).find(wanted) != std::string_view::npos;
    if (is_exact ? is_it(layer) : has_text) kept.push_back(std::move(layer));
  }
  layers = std::move(kept);
  if (!layers.empty()) return {};
  return fail({.code = ErrorCode::kUsage,
               .message = base::format("--layer {}: the log has no tactics for such a layer",
                                       base::quoted(wanted)),
               .hint = "`planex explain tactics PLAN --all` lists the layers"});
}

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  const model::PlanModel& model = engine.model;
  analyze::TacticExplanation explanation = analyze::explain_tactics(model);
  if (request.layer) PLANEX_TRY(keep_layers(model, *request.layer, explanation.layers));
  return take(
      {.document = {tactics_document(), explanation, model},
       .rows = [&] { return record::rows_of(explanation.layers, tactic_row_fields(), model); },
       .screen =
           [&](const ScreenSize& size) {
             return screen_of(model, explanation, request.layer.has_value(), size);
           },
       .all = request.all});
}

constexpr Topic kTopic = {.name = "tactics",
                          .summary = "which kernels the builder tried, and by what margin it chose",
                          .document = [] { return record::DocumentInfo(tactics_document()); },
                          .explain = explain};

}  // namespace
}  // namespace planex::session::tactics_topic

PLANEX_TOPIC(tactics)
