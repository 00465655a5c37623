#include "render/text/rule_text.h"

#include <algorithm>
#include <span>

#include "base/text.h"
#include "lint/evidence.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using base::format;

// Each line by itself, so that the parts of a finding stay apart.
std::string example_text(std::string_view example, std::size_t width) {
  constexpr std::size_t kIndent = 4, kHang = 2;
  std::string text;
  while (!example.empty()) {
    const std::string_view line = base::trimmed(base::take_part(example, '\n'));
    if (!line.empty()) text += wrapped_hanging(printable(line), width, kIndent, kHang);
  }
  return text;
}

}  // namespace

std::string rule_text(const lint::RuleInfo& info, std::string_view example,
                      const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::string text = wrapped_hanging(
      format("{}  {}",
             painted(format("{}[{}]", model::to_string(info.severity), printable(info.id)),
                     info.severity == model::Severity::kInfo ? Ink::kFaint : Ink::kWarning,
                     style.color),
             printable(info.summary)),
      width, 2, 2);
  const auto part = [&](std::string_view title, std::string_view content) {
    if (content.empty()) return;
    text += format("\n{}\n", painted(title, Ink::kStrong, style.color));
    text += wrapped(format("{}.", printable(content)), width, 2);
  };
  std::string needs;
  for (const lint::Need need : info.needs) {
    needs += format("{}{}", needs.empty() ? "" : ", ", lint::to_string(need));
  }
  part("Pack", format("{}: {}", lint::to_string(info.pack), lint::subject_of(info.pack)));
  part("Needs", needs);
  part("Why it matters", info.rationale);
  part("Evidence", info.evidence);
  part("Estimate", info.estimate);
  part("Fix", info.fix);
  part("Command", info.command);
  part("Source", info.source);
  const std::span<const lint::Evidence> evidence = lint::evidence_of(info.id);
  if (!evidence.empty()) {
    text += format("\n{}\n", painted("Where the advice was followed", Ink::kStrong, style.color));
    for (const lint::Evidence& row : evidence) {
      text += wrapped_hanging(format("{}: {}: {}", printable(row.version),
                                     lint::to_string(row.proof), printable(row.said)),
                              width, 4, 2);
    }
  }
  if (!example.empty()) {
    text +=
        format("\n{}\n", painted("Example, from the rule's own tests", Ink::kStrong, style.color));
    text += example_text(example, width);
  }
  return text;
}

std::string rule_sql_text(std::string_view sql) {
  std::string text = "\nSQL\n";
  while (!sql.empty()) {
    text += format("  {}\n", printable(base::take_part(sql, '\n')));
  }
  return text;
}

}  // namespace planex::render
