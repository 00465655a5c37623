#include <string_view>

#include "base/text.h"
#include "engines/engine_rules.h"
#include "render/markdown/table_markdown.h"
#include "render/text/table_text.h"
#include "session/explain/topic.h"

namespace planex::session::engines_topic {
namespace {

using engines::EngineRule;
using render::markdown_text;
using render::TableStyle;

std::string rule_row(const EngineRule& rule) {
  return base::format("| {} | {} | {} | {} | {} | {} | {}: {} |\n", rule.id, rule.version,
                      rule.device, markdown_text(rule.fuses), markdown_text(rule.stays),
                      rule.cure.empty() ? "–" : markdown_text(rule.cure), to_string(rule.proof),
                      markdown_text(rule.source));
}

std::string engine_rules_markdown() {
  std::string page =
      "# Rules of engines\n\n"
      "<!-- Written by `planex explain engines --format markdown`; edit "
      "src/engines/engine_rules.cc instead. -->\n\n"
      "What engines fuse, quantize and convert, and under which conditions: explanations, advice "
      "and placement read this table. Ids are permanent. *built*: a test builds both sides with "
      "the engine; *recorded*: seen in recorded engines; *documented*: its vendor says so; "
      "*not-proven*: believed, but not tested.\n";
  std::string_view engine;
  for (const EngineRule& rule : engines::engine_rules()) {
    if (rule.engine != engine) {
      page += base::format(
          "\n## {}\n\n| rule | seen in | device | fuses | stays | cure | proof |\n"
          "|---|---|---|---|---|---|---|\n",
          rule.engine);
      engine = rule.engine;
    }
    page += rule_row(rule);
  }
  return page;
}

Result<void> look_up(std::string_view, const ExplainRequest&, const Take& take) {
  return take({.markdown = engine_rules_markdown,
               .text = [](const TableStyle&) { return engine_rules_markdown(); }});
}

constexpr Topic kTopic = {
    .name = "engines",
    .summary = "what each engine fuses, and under which conditions; takes no PLAN",
    .look_up = look_up};

}  // namespace
}  // namespace planex::session::engines_topic

PLANEX_TOPIC(engines)
