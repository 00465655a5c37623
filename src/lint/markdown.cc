#include "lint/markdown.h"

#include "base/text.h"
#include "lint/run.h"

namespace planex::lint {

std::string rules_reference() {
  using base::format;
  std::string page =
      "# Lint rules\n\n"
      "<!-- Written by `planex lint --rules --format markdown`; edit src/lint/rules/ instead. "
      "-->\n\n"
      "A rule fires, stays silent, or is skipped with a reason when the files lack what it needs; "
      "it never passes for lack of data. Ids are permanent. Severities: a *warning* is likely to "
      "save time when it is fixed, an *info* is worth knowing. An estimate is the measured time "
      "that a fix would save at most, and every finding says how its own was made; what is not "
      "known is null. Within a rule, a layer's time counts once.\n\n"
      "| rule | severity | fires when |\n|---|---|---|\n";
  for (const Rule* rule : rules()) {
    page += format("| [{0}](#{0}) | {1} | {2} |\n", rule->info.id,
                   model::to_string(rule->info.severity), rule->info.summary);
  }
  for (const Rule* rule : rules()) {
    const RuleInfo& info = rule->info;
    page += format(
        "\n## {}\n\nPack: {}. Severity: up to {}.\n\n**Fires when** {}.\n\n"
        "**Why it matters.** {}.\n\n**Fix.** {}.\n\n",
        info.id, to_string(info.pack), model::to_string(info.severity), info.summary,
        info.rationale, info.fix);
    page += "**Needs** ";
    for (std::size_t i = 0; i < info.needs.size(); ++i) {
      page += format("{}{}", i == 0 ? "" : ", ", to_string(info.needs[i]));
    }
    page += format(".\n\n**Source.** {}.\n", info.source);
  }
  return page;
}

}  // namespace planex::lint
