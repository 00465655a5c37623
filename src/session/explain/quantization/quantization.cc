#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "analyze/quantization/quantization.h"
#include "base/text.h"
#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/text/grid.h"
#include "render/text/screen.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/quantization_sentences.h"
#include "render/words/sentences.h"
#include "session/answer/format.h"
#include "session/explain/quantization/quantization_fields.h"
#include "session/explain/topic.h"

namespace planex::session::quantization_topic {
namespace {

using analyze::FallbackGroup;
using analyze::LayerTotals;
using analyze::QuantizationExplanation;
using analyze::QuantizationRow;
using analyze::QuantizedRun;
using base::counted;
using base::format;
using base::ms_text;
using base::printable;
using base::us_text;
using model::PlanModel;
using render::Alignment;
using render::fallback_advice;
using render::fallback_kind;
using render::fallback_text;
using render::Grid;
using render::Ink;
using render::quantization_asked;
using render::quantization_headline;
using render::Screen;
using render::ScreenSize;
using render::sentence;
using render::ShownIn;

constexpr std::size_t kShownRows = 5;

std::string_view run_text(QuantizedRun run) {
  switch (run) {
    case QuantizedRun::kQuantized:
      return "quantized";
    case QuantizedRun::kWritesFloat:
      return "quantized, write float";
    case QuantizedRun::kWeightsOnly:
      return "float, weights quantized";
    case QuantizedRun::kUnknown:
      return "unknown";
    case QuantizedRun::kFloat:
      break;
  }
  return "float";
}

// What runs how, and what the conversions cost.
model::DataTable quantization_totals_table(const QuantizationExplanation& explanation) {
  model::DataTable table;
  table.columns = {{"", "", false},
                   {"layers", "count", true},
                   {explanation.basis == analyze::TimeBasis::kMean ? "mean" : "median", "ms", true},
                   {"of Σ layers", "ratio", true}};
  const auto add = [&](std::string_view what, const LayerTotals& totals) {
    if (totals.count == 0) return;
    table.rows.push_back({std::string(what), static_cast<std::int64_t>(totals.count),
                          model::value_of(totals.time_ms), model::value_of(totals.share)});
  };
  add("convolutions and matrix products", explanation.matrix);
  for (std::size_t run = 0; run < analyze::kQuantizedRuns; ++run) {
    add(format("  {}", run_text(static_cast<QuantizedRun>(run))), explanation.by_run[run]);
  }
  add("the model asks for", explanation.requested);
  add("  of these in float", explanation.fell_back);
  add("conversions", explanation.conversions);
  add("  quantize", explanation.quantizers);
  add("  dequantize", explanation.dequantizers);
  add("  both, float to float", explanation.round_trips);
  add("  avoidable", explanation.avoidable_conversions);
  return table;
}

std::string types_text(const QuantizationRow& row) {
  const auto word = [](model::DType type) {
    return type == model::DType::kNull ? std::string_view("?") : to_string(type);
  };
  std::string text = format("{} → {}", word(row.input), word(row.output));
  if (row.weights != model::DType::kNull) text += format(", weights {}", word(row.weights));
  return text;
}

Grid fallback_grid(const PlanModel& model, std::span<const QuantizationRow* const> rows) {
  Grid grid({{Alignment::kRight}, {Alignment::kRight}, {}, {Alignment::kLeft, true}});
  for (const QuantizationRow* row : rows) {
    grid.add_row(
        {{row->time_ms ? format("{} µs", us_text(*row->time_ms * 1000)) : ""},
         {row->conversion_ms ? format("+ {} µs", us_text(*row->conversion_ms * 1000)) : ""},
         {types_text(*row)},
         {printable(model.text(model.layers.name[row->layer.index()])), Ink::kFaint}});
  }
  return grid;
}

void add_fallbacks(Screen& screen, const PlanModel& model, const FallbackGroup& group,
                   const ScreenSize& size) {
  screen.add_gap();
  const QuantizationRow& first = *group.rows.front();
  const bool writes_float = first.run == QuantizedRun::kWritesFloat;
  const std::size_t count = group.rows.size();
  const std::string_view verb = !writes_float ? "in float"
                                : count == 1  ? "writes float"
                                              : "write float";
  const std::string kind = count > 1 ? fallback_kind(first) : std::string();
  screen.add({.strong = format("{} {}", counted(count, "layer"), verb),
              .words = format(": {}", kind.empty() ? fallback_text(model, first) : kind),
              .indent = 2,
              .hang = 2},
             ShownIn::kText);
  const std::size_t shown = size.of(count, kShownRows);
  screen.add(fallback_grid(model, std::span(group.rows).first(shown)), 4);
  if (shown < count) screen.add_line(format("    … {} more; --all shows them", count - shown));
  if (std::string advice = fallback_advice(model, first); !advice.empty()) {
    screen.add({.words = std::move(advice), .indent = 2}, ShownIn::kText);
  }
}

Grid quantization_list(const PlanModel& model, const QuantizationExplanation& explanation) {
  Grid grid({{}, {}, {}, {Alignment::kRight}, {Alignment::kRight}, {}});
  grid.add_row({{"layer"}, {"runs"}, {"types"}, {"time"}, {"conversions"}, {"why"}});
  const auto time = [](const std::optional<double>& ms) {
    return ms ? format("{} ms", ms_text(*ms)) : std::string("–");
  };
  for (const QuantizationRow& row : explanation.rows) {
    grid.add_row({{std::string(model.text(model.layers.name[row.layer.index()]))},
                  {std::string(run_text(row.run))},
                  {types_text(row)},
                  {time(row.time_ms)},
                  {time(row.conversion_ms)},
                  {fallback_text(model, row)}});
  }
  return grid;
}

Screen screen_of(const PlanModel& model, const QuantizationExplanation& explanation,
                 const ScreenSize& size) {
  Screen screen =
      Screen::headed(model.text(model.engine.name[0]), quantization_headline(explanation));
  screen.add({.words = quantization_asked(explanation)}, ShownIn::kText);
  screen.add({.words = sentence(quantization_asked(explanation))}, ShownIn::kMarkdown);
  screen.add(quantization_totals_table(explanation), ShownIn::kMarkdown);
  if (explanation.matrix.count + explanation.conversions.count > 0) {
    screen.add_gap();
    screen.add(quantization_totals_table(explanation), ShownIn::kText);
    for (const FallbackGroup& group : fallback_groups(explanation)) {
      add_fallbacks(screen, model, group, size);
    }
  }
  screen.list(quantization_list(model, explanation));
  return screen;
}

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_quantization(model, engine.summary.time);
  return take(
      {.document = {quantization_document(), explanation, model},
       .rows = [&] { return record::rows_of(explanation.rows, quantization_row_fields(), model); },
       .screen = [&](const ScreenSize& size) { return screen_of(model, explanation, size); },
       .all = request.all});
}

constexpr Topic kTopic = {.name = "quantization",
                          .summary = "what runs quantized, what fell back, and why",
                          .document = [] { return record::DocumentInfo(quantization_document()); },
                          .explain = explain};

}  // namespace
}  // namespace planex::session::quantization_topic

PLANEX_TOPIC(quantization)
