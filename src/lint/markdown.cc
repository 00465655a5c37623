#include "lint/markdown.h"

#include <algorithm>

#include "base/text.h"
#include "lint/run.h"

namespace planex::lint {
namespace {

using base::format;

std::string description_of(const RuleInfo& info) {
  std::string text = format("\n## {}\n\nPack: {}. Severity: up to {}.\n", info.id,
                            to_string(info.pack), model::to_string(info.severity));
  std::string needs;
  for (const Need need : info.needs) {
    needs += format("{}{}", needs.empty() ? "" : ", ", to_string(need));
  }
  const auto part = [&](std::string_view title, std::string_view content) {
    if (!content.empty()) text += format("\n**{}** {}.\n", title, content);
  };
  part("Fires when", info.summary);
  part("Why it matters.", info.rationale);
  part("Evidence:", info.evidence);
  part("Estimate:", info.estimate);
  part("Fix.", info.fix);
  if (!info.command.empty()) part("Command:", format("`{}`", info.command));
  part("Needs", needs);
  part("Source.", info.source);
  return text;
}

}  // namespace

std::string rules_reference() {
  std::string page =
      "# Lint rules\n\n"
      "<!-- Written by `planex lint --rules --format markdown`; edit src/lint/rules/ instead. "
      "-->\n\n"
      "A rule fires, stays silent, or is skipped with a reason if the files lack what it needs; it "
      "never passes for lack of data. Ids are permanent. Severities: fixing a *warning* is likely "
      "to save time, an *info* is worth knowing. An estimate is the measured time that a fix would "
      "save, and every finding says how its estimate was made; an unknown estimate is null. Within "
      "a rule, a layer's time counts once.\n\n"
      "Rules come in packs, by the engines they apply to; `--pack`, `--rule` and `--no-rule` "
      "select rules, and a rule of another pack is skipped. `planex lint --explain RULE` shows one "
      "of them with an example from a real engine. Rules of your own: [how to write "
      "one](../how-to/write-a-rule.md).\n";
  for (const Pack pack : kPacks) {
    if (std::ranges::none_of(rules(), [&](const Rule* rule) { return rule->info.pack == pack; })) {
      continue;
    }
    page += format("\n**Pack `{}`**: {}\n\n| rule | severity | fires when |\n|---|---|---|\n",
                   to_string(pack), subject_of(pack));
    for (const Rule* rule : rules()) {
      if (rule->info.pack != pack) continue;
      page += format("| [{0}](#{0}) | {1} | {2} |\n", rule->info.id,
                     model::to_string(rule->info.severity), rule->info.summary);
    }
  }
  for (const Pack pack : kPacks) {
    for (const Rule* rule : rules()) {
      if (rule->info.pack == pack) page += description_of(rule->info);
    }
  }
  return page;
}

}  // namespace planex::lint
