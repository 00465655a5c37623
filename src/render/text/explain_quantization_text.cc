#include "render/text/explain_quantization_text.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "render/markdown/table_markdown.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/quantization_sentences.h"
#include "render/words/sentences.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::FallbackGroup;
using analyze::LayerTotals;
using analyze::QuantizationExplanation;
using analyze::QuantizationRow;
using analyze::QuantizedRun;
using base::counted;
using base::format;
using model::PlanModel;

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

class QuantizationScreen {
 public:
  QuantizationScreen(const PlanModel& model, const QuantizationExplanation& explanation, bool all,
                     const TableStyle& style)
      : model_(model),
        explanation_(explanation),
        all_(all),
        style_(style),
        width_(style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0))) {}

  std::string render() {
    text_ +=
        wrapped(painted(printable(quantization_headline(explanation_)), Ink::kStrong, style_.color),
                width_, 0);
    text_ += wrapped(quantization_asked(explanation_), width_, 0);
    if (explanation_.matrix.count + explanation_.conversions.count == 0) return std::move(text_);
    line("");
    TableStyle table_style = style_;
    table_style.indent = 2;
    text_ += text_table(quantization_totals_table(explanation_), table_style);
    for (const FallbackGroup& group : fallback_groups(explanation_)) show(group);
    return std::move(text_);
  }

 private:
  void line(std::string_view content) { text_.append(content).append("\n"); }

  void show(const FallbackGroup& group) {
    line("");
    const QuantizationRow& first = *group.rows.front();
    const bool writes_float = first.run == QuantizedRun::kWritesFloat;
    const std::size_t count = group.rows.size();
    const std::string_view verb = !writes_float ? "in float"
                                  : count == 1  ? "writes float"
                                                : "write float";
    const std::string kind = count > 1 ? fallback_kind(first) : std::string();
    text_ += wrapped_hanging(
        format("{}: {}",
               painted(format("{} {}", counted(count, "layer"), verb), Ink::kStrong, style_.color),
               kind.empty() ? fallback_text(model_, first) : kind),
        width_, 2, 2);
    const std::size_t shown = all_ ? group.rows.size() : std::min(kShownRows, group.rows.size());
    Grid grid({{Alignment::kRight}, {Alignment::kRight}, {}, {Alignment::kLeft, true}});
    for (std::size_t i = 0; i < shown; ++i) {
      const QuantizationRow& row = *group.rows[i];
      grid.add_row(
          {{row.time_ms ? format("{} µs", us_text(*row.time_ms * 1000)) : ""},
           {row.conversion_ms ? format("+ {} µs", us_text(*row.conversion_ms * 1000)) : ""},
           {types_text(row)},
           {printable(model_.text(model_.layers.name[row.layer.index()])), Ink::kFaint}});
    }
    for (const std::string& one : grid.lines(width_, 4, style_.color)) line(one);
    if (shown < group.rows.size()) {
      line(format("    … {} more; --all shows them", group.rows.size() - shown));
    }
    if (const std::string advice = fallback_advice(model_, first); !advice.empty()) {
      text_ += wrapped(advice, width_, 2);
    }
  }

  const PlanModel& model_;
  const QuantizationExplanation& explanation_;
  bool all_;
  TableStyle style_;
  std::size_t width_;
  std::string text_;
};

}  // namespace

std::string explain_quantization_text(const PlanModel& model,
                                      const QuantizationExplanation& explanation, bool all,
                                      const TableStyle& style) {
  return QuantizationScreen(model, explanation, all, style).render();
}

std::string explain_quantization_markdown(const PlanModel& model,
                                          const QuantizationExplanation& explanation) {
  std::string text = format("**{}**: {}\n\n{}\n\n", markdown_text(model.text(model.engine.name[0])),
                            markdown_text(quantization_headline(explanation)),
                            markdown_text(sentence(quantization_asked(explanation))));
  text += markdown_table(quantization_totals_table(explanation));
  text += "\n| layer | runs | types | time | conversions | why |\n|---|---|---|---:|---:|---|\n";
  const auto time = [](const std::optional<double>& ms) {
    return ms ? format("{} ms", ms_text(*ms)) : std::string("–");
  };
  for (const QuantizationRow& row : explanation.rows) {
    text += format("| {} | {} | {} | {} | {} | {} |\n",
                   markdown_text(model.text(model.layers.name[row.layer.index()])),
                   run_text(row.run), markdown_text(types_text(row)), time(row.time_ms),
                   time(row.conversion_ms), markdown_text(fallback_text(model, row)));
  }
  return text;
}

}  // namespace planex::render
