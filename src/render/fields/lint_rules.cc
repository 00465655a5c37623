#include "render/fields/lint_rules.h"

#include <string>
#include <string_view>

namespace planex::render {
namespace {

using lint::RuleInfo;
using record::Fields;

template <typename Member>
auto of_info(Member RuleInfo::* member) {
  return [member](const LintRule& rule) { return rule.info->*member; };
}

std::string needs_of(const LintRule& rule) {
  std::string needs;
  for (const lint::Need need : rule.info->needs) {
    if (!needs.empty()) needs += ", ";
    needs += lint::to_string(need);
  }
  return needs;
}

}  // namespace

const Fields<LintRule>& lint_rule_fields() {
  static const auto kFields =
      Fields<LintRule>("LintRule", "A rule of lint.")
          .field("id", "", "Permanent id.", of_info(&RuleInfo::id))
          .field("pack", "", "Which engines it is about.",
                 [](const LintRule& rule) { return lint::to_string(rule.info->pack); })
          .field("severity", "", "The highest severity of its findings.",
                 [](const LintRule& rule) { return model::to_string(rule.info->severity); })
          .field("about", "",
                 "Whether its findings are about the engine or about its measurement, which "
                 "--fail-on leaves out.",
                 [](const LintRule& rule) -> std::string_view {
                   return lint::is_about_measurement(*rule.info) ? "measurement" : "engine";
                 })
          .one_of({"engine", "measurement"})
          .field("summary", "", "When it fires.", of_info(&RuleInfo::summary))
          .maybe("rationale", "", "Why it matters.", of_info(&RuleInfo::rationale))
          .maybe("evidence", "", "What its findings show.", of_info(&RuleInfo::evidence))
          .maybe("estimate", "", "How its estimates are made.", of_info(&RuleInfo::estimate))
          .maybe("fix", "", "What to do, in general.", of_info(&RuleInfo::fix))
          .maybe("command", "", "A command that does it, where the model has Q/DQ to move.",
                 of_info(&RuleInfo::command))
          .maybe("needs", "", "Facts that it needs; it is skipped without them.", &needs_of)
          .maybe("source", "", "Source of the knowledge.", of_info(&RuleInfo::source));
  return kFields;
}

const record::Document<LintRules>& lint_rules_document() {
  static const record::Document<LintRules> kDocument = {
      "planex.lint-rules/1", "What lint looks for: planex lint --rules --format json",
      Fields<LintRules>("LintRules", "Rules of lint.")
          .list("rules", "In the order in which they are run.", lint_rule_fields(),
                &LintRules::rules)};
  return kDocument;
}

}  // namespace planex::render
