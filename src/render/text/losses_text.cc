#include "render/text/losses_text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/text.h"
#include "render/text/display_width.h"
#include "render/text/grid.h"
#include "render/text/numbers.h"

namespace planex::render {

using base::format;
using quantize::JudgedTensor;

std::string db_text(const std::optional<double>& db) { return db ? format("{:.1f} dB", *db) : "–"; }

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
  return text;
}

}  // namespace planex::render
