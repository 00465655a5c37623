#include "render/text/clean_text.h"

#include <algorithm>
#include <cstddef>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/wrap.h"

namespace planex::render {

using base::counted;
using base::format;

std::string clean_text(const clean::CleanOutcome& outcome, bool shows_all,
                       const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::string text = format("{} → {}\n", printable(outcome.model), printable(outcome.output));
  const auto line = [&](const std::string& words) { text += wrapped(words, width, kScreenIndent); };
  if (outcome.steps.empty()) {
    line(format("nothing to simplify: {}", counted(outcome.node_count, "node")));
  } else {
    line(format("{} → {}, {} → {}", counted(outcome.node_count_before, "node"), outcome.node_count,
                size_text(static_cast<std::int64_t>(outcome.bytes_before)),
                size_text(static_cast<std::int64_t>(outcome.bytes))));
  }
  if (outcome.opset != outcome.opset_before) {
    line(format("opset {} → {}", outcome.opset_before, outcome.opset));
  }
  if (outcome.steps.empty()) return text;
  Grid grid({{}, {.alignment = Alignment::kRight}, {}, {.elastic = true}});
  for (const clean::DoneStep& step : outcome.steps) {
    const bool is_exact = step.effect == clean::Effect::kExact;
    grid.add_row({{step.pass},
                  {format("{}", step.count)},
                  {is_exact ? "exact" : "rounds", is_exact ? Ink::kFaint : Ink::kPlain},
                  {step.what}});
    if (!shows_all) continue;
    for (const std::string& node : step.nodes) {
      grid.add_row({{}, {}, {}, {printable(node), Ink::kFaint}});
    }
  }
  text += "\npasses\n";
  for (const std::string& row : grid.lines(width, kScreenIndent, style.color)) text += row + "\n";
  return text;
}

}  // namespace planex::render
