#include "render/text/losses_text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/text/slice_text.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/wrap.h"

namespace planex::render {

using base::format;
using quantize::JudgedTensor;

std::string sqnr_text(const arrays::Difference& difference) {
  if (difference.is_equal) return "equal";
  if (difference.subject_nan_count + difference.subject_inf_count > 0) {
    return format("{} NaN, {} Inf", difference.subject_nan_count, difference.subject_inf_count);
  }
  return db_text(difference.sqnr_db);
}

std::string top1_text(const JudgedTensor& tensor) {
  if (!tensor.agreement || tensor.agreement->rows == 0) return {};
  return percent_text(static_cast<double>(tensor.agreement->top1_count) /
                      static_cast<double>(tensor.agreement->rows));
}

std::string losses_text(const std::vector<JudgedTensor>& simulated,
                        const std::vector<JudgedTensor>& engine_to_simulated,
                        const std::vector<JudgedTensor>& engine, const std::string& where,
                        const TableStyle& style) {
  Grid grid(
      {{}, {.alignment = Alignment::kRight}, {.alignment = Alignment::kRight}, {.elastic = true}});
  const auto rows = [&](std::string_view what, const std::vector<JudgedTensor>& tensors) {
    for (const JudgedTensor& one : tensors) {
      const std::string top1 = top1_text(one);
      grid.add_row({{std::string(what)},
                    {sqnr_text(one.difference)},
                    {top1.empty() ? "" : "top-1 " + top1},
                    {printable(one.tensor), Ink::kFaint}});
    }
  };
  rows("float → simulated: the model's loss", simulated);
  rows("simulated → engine: the engine's", engine_to_simulated);
  rows("float → engine: both", engine);
  std::string text = format("\nwhat it cost ({})\n", where);
  const auto width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  for (const std::string& row : grid.lines(width, kScreenIndent, style.color)) text += row + "\n";
  // The engine's figures where they are known, else the simulation's.
  for (const JudgedTensor& one : engine.empty() ? simulated : engine) {
    const std::string sentence = worst_slice_sentence(printable(one.tensor), one.difference);
    if (!sentence.empty()) text += wrapped(sentence, width, kScreenIndent);
  }
  return text;
}

std::string scores_text(const std::vector<quantize::LabelScore>& labels,
                        const std::vector<quantize::MetricScore>& metrics,
                        const TableStyle& style) {
  std::string text;
  const auto width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  const auto add = [&](const Grid& grid, std::string_view title) {
    text += format("\n{}\n", title);
    for (const std::string& row : grid.lines(width, kScreenIndent, style.color)) text += row + "\n";
  };
  if (!labels.empty()) {
    Grid grid({{}, {.alignment = Alignment::kRight}, {}, {}, {.elastic = true}});
    const auto row = [&](std::string_view what, const std::optional<quantize::RightAnswers>& right,
                         const std::optional<quantize::RightAnswers>& top5,
                         const std::string& tensor) {
      if (!right) return;
      const auto share = [](const quantize::RightAnswers& of) {
        return percent_text(static_cast<double>(of.right) / static_cast<double>(of.total));
      };
      grid.add_row({{std::string(what)},
                    {format("{} of {}", right->right, right->total)},
                    {format("{} to {}", percent_text(right->low), percent_text(right->high))},
                    {top5 ? format("top-5 {}", share(*top5)) : std::string()},
                    {printable(tensor), Ink::kFaint}});
    };
    for (const quantize::LabelScore& score : labels) {
      row("float", score.original, score.original_top5, score.tensor);
      row("simulated", score.simulated, score.simulated_top5, score.tensor);
      row("engine", score.engine, score.engine_top5, score.tensor);
    }
    add(grid, "right by the labels (and the share that is likely, 95 %)");
  }
  if (metrics.empty()) return text;
  Grid grid({{.alignment = Alignment::kRight},
             {.alignment = Alignment::kRight},
             {.alignment = Alignment::kRight},
             {.elastic = true}});
  grid.add_row({{"float", Ink::kFaint},
                {"simulated", Ink::kFaint},
                {"engine", Ink::kFaint},
                {"metric", Ink::kFaint}});
  const auto cell = [](const std::optional<double>& value) {
    return value ? format("{:.6g}", *value) : std::string("–");
  };
  for (const quantize::MetricScore& one : metrics) {
    grid.add_row(
        {{cell(one.original)}, {cell(one.simulated)}, {cell(one.engine)}, {printable(one.name)}});
  }
  add(grid, "by your own measure (each against float)");
  return text;
}

}  // namespace planex::render
