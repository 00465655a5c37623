#include "render/fields/lint.h"

#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/date.h"
#include "lint/evidence.h"
#include "render/fields/actions.h"
#include "render/fields/common.h"

namespace planex::render {
namespace {

using lint::Finding;
using lint::LintReport;
using lint::RuleStatus;
using lint::Suppression;
using lint::SuppressionKind;
using record::Fields;

const Finding& finding_of(std::size_t row, const LintResult& result) {
  return result.report.findings[row];
}

std::optional<std::string_view> proof_text(const Finding& finding) {
  return finding.proof ? std::optional(lint::to_string(*finding.proof)) : std::nullopt;
}

// A member of the finding.
template <typename Member>
auto of_finding(Member Finding::* member) {
  return [member](std::size_t row, const LintResult& result) -> const Member& {
    return finding_of(row, result).*member;
  };
}

Fields<Suppression, LintResult> suppression_fields() {
  return Fields<Suppression, LintResult>("Suppression", "Why a finding is not shown.")
      .field("by", "", "What suppresses it.",
             [](const Suppression& suppression) {
               return suppression.kind == SuppressionKind::kWaiver ? "waiver" : "baseline";
             })
      .one_of({"waiver", "baseline"})
      .field("entry", "", "Its place in the file of waivers or in the baseline.",
             &Suppression::entry)
      .maybe("reason", "", "Why it is accepted.",
             [](const Suppression& suppression, const LintResult& result) -> const std::string& {
               return suppression.kind == SuppressionKind::kWaiver
                          ? result.report.waivers->list()[suppression.entry].reason
                          : result.report.baseline->reason();
             });
}

Fields<lint::SavedTime> saving_fields() {
  using lint::SavedTime;
  return Fields<SavedTime>("Saving", "What a fix saves in one layer.")
      .field("layer_id", "", "The layer.",
             [](const SavedTime& saved) { return saved.layer.index(); })
      .field("fraction", "ratio", "Share of the layer's measured time.", &SavedTime::fraction)
      .field("ms", "ms", "This finding's part; null: the layer was not measured.", &SavedTime::ms);
}

// What the rule itself says.
template <typename Member>
auto of_rule(Member lint::RuleInfo::* member) {
  return [member](const RuleStatus& status) { return status.info->*member; };
}

Fields<RuleStatus> rule_fields() {
  using lint::RuleInfo;
  return Fields<RuleStatus>("RuleStatus", "A rule and its result.")
      .field("id", "", "Permanent id.", of_rule(&RuleInfo::id))
      .field("pack", "", "Which engines it is about.", of_rule(&RuleInfo::pack))
      .field("severity", "", "The highest severity of its findings, after --severity.",
             &RuleStatus::severity)
      .field("summary", "", "When it fires.", of_rule(&RuleInfo::summary))
      .field("status", "", "Whether it ran, and fired.", &RuleStatus::outcome)
      .maybe("reason", "", "Why it was skipped, or what it could not judge.", &RuleStatus::reason)
      .maybe("rationale", "", "Why it matters.", of_rule(&RuleInfo::rationale))
      .maybe("fix", "", "What to do, in general.", of_rule(&RuleInfo::fix))
      .maybe("command", "", "A command that does it, where the model has Q/DQ to move.",
             &RuleStatus::command)
      .maybe("evidence", "", "What its findings show.", of_rule(&RuleInfo::evidence))
      .maybe("estimate", "", "How its estimates are made.", of_rule(&RuleInfo::estimate))
      .maybe("source", "", "Source of the knowledge.", of_rule(&RuleInfo::source))
      .field("count", "count", "Findings that are shown.", &RuleStatus::count)
      .field("suppressed_count", "count", "Findings that are waived or in the baseline.",
             &RuleStatus::suppressed_count)
      .field("folded_count", "count", "Findings that fold into those of other rules.",
             &RuleStatus::folded_count)
      .field("estimated_ms", "ms",
             "What the actions save that its findings are the first to ask for.",
             &RuleStatus::estimated_ms);
}

struct WaiverRow {
  const lint::Waiver* waiver;
  const lint::EntryUse* use;
};

std::vector<WaiverRow> waiver_rows(const LintResult& result) {
  std::vector<WaiverRow> rows;
  for (std::size_t i = 0; i < result.report.waiver_uses.size(); ++i) {
    rows.push_back({&result.report.waivers->list()[i], &result.report.waiver_uses[i]});
  }
  return rows;
}

Fields<WaiverRow> waiver_fields() {
  using lint::Waiver;
  const auto text = [](std::string Waiver::* member) {
    return [member](const WaiverRow& row) -> const std::string& { return row.waiver->*member; };
  };
  return Fields<WaiverRow>("WaiverUse", "A waiver and its state.")
      .maybe("rule", "", "The rule whose findings it is about.", text(&Waiver::rule))
      .maybe("layer", "", "The layer that they are about.", text(&Waiver::layer))
      .maybe("layer_regex", "", "The layers, as a regular expression.",
             text(&Waiver::layer_pattern))
      .maybe("fingerprint", "", "The one finding.", text(&Waiver::fingerprint))
      .maybe("reason", "", "Why it is accepted.", text(&Waiver::reason))
      .maybe("by", "", "Who accepted it.", text(&Waiver::by))
      .maybe("expires", "", "The last day on which it is valid.",
             [](const WaiverRow& row) {
               const auto& day = row.waiver->expires;
               return day ? base::date_text(*day) : std::string();
             })
      .field("state", "", "The state of the waiver.",
             [](const WaiverRow& row) { return row.use->state; })
      .field("matched_count", "count",
             "Findings that it matches, even if another waiver came first.",
             [](const WaiverRow& row) { return row.use->matched_count; });
}

std::vector<const lint::BaselineEntry*> resolved_entries(const LintReport& report) {
  std::vector<const lint::BaselineEntry*> entries;
  for (std::size_t i = 0; i < report.baseline_uses.size(); ++i) {
    if (report.baseline_uses[i].state != lint::EntryState::kUnused) continue;
    entries.push_back(&report.baseline->entries()[i]);
  }
  return entries;
}

Fields<LintReport> baseline_fields() {
  using lint::BaselineEntry;
  const auto entry =
      Fields<BaselineEntry>("BaselineEntry", "A finding of an earlier build.")
          .field("rule", "", "Id of the rule.", &BaselineEntry::rule)
          .field("fingerprint", "", "The same in every build.", &BaselineEntry::fingerprint)
          .maybe("layer", "", "Name of the layer then.", &BaselineEntry::layer)
          .maybe("message", "", "Its message then.", &BaselineEntry::message);
  return Fields<LintReport>("BaselineUse", "The baseline and its state.")
      .maybe(
          "reason", "", "Why its findings are accepted.",
          [](const LintReport& report) -> const std::string& { return report.baseline->reason(); })
      .field("count", "count", "Its findings.",
             [](const LintReport& report) { return report.baseline_uses.size(); })
      .list("resolved", "Entries that no finding matches any more.", entry, resolved_entries);
}

Fields<lint::EstimateBand> band_fields() {
  using lint::EstimateBand;
  return Fields<EstimateBand>("EstimateBand", "Range of the gain of all actions.")
      .field("low_ms", "ms", "The lower end, over the actions that have one; null if none has.",
             &EstimateBand::low_ms)
      .field("high_ms", "ms", "The upper end.", &EstimateBand::high_ms)
      .field("low_ratio", "ratio", "The lowest ratio of measured to predicted gain.",
             [](const EstimateBand&) { return lint::kLowestRatio; })
      .field("high_ratio", "ratio", "The highest ratio of measured to predicted gain.",
             [](const EstimateBand&) { return lint::kHighestRatio; })
      .field("pair_count", "count", "Pairs of engines that the ratios come from.",
             [](const EstimateBand&) { return lint::kPairsOfBand; });
}

const LintReport& report_of(const LintResult& result) { return result.report; }

}  // namespace

LintResult::LintResult(const model::PlanModel& of_model, const lint::LintReport& of_report)
    : model(of_model), report(of_report), fingerprints(lint::fingerprints(of_model, of_report)) {}

std::vector<std::size_t> finding_rows(const LintResult& result) {
  std::vector<std::size_t> rows(result.report.findings.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

const Fields<std::size_t, LintResult>& finding_fields() {
  static const auto kFields =
      Fields<std::size_t, LintResult>("Finding", "What is worth changing, or doubtful.")
          .field("rule", "", "Permanent id of the rule.", of_finding(&Finding::rule))
          .field("severity", "", "How much it matters.", of_finding(&Finding::severity))
          .field("layer_id", "", "The layer; null: the engine.", of_finding(&Finding::layer))
          .field("layer", "", "Its name.",
                 [](std::size_t row, const LintResult& result) {
                   const model::LayerId layer = finding_of(row, result).layer;
                   return layer.is_null() ? std::nullopt
                                          : std::optional(result.model.text(
                                                result.model.layers.name[layer.index()]));
                 })
          .field("message", "", "What was found.", of_finding(&Finding::message))
          .field("evidence", "", "The figures that support it.", of_finding(&Finding::evidence))
          .field("estimated_ms", "ms", "What a fix saves at most per inference.",
                 of_finding(&Finding::estimated_ms))
          .maybe("estimate_method", "", "How that is known, or why it is not.",
                 of_finding(&Finding::estimate_method))
          .list("savings",
                "What the estimate adds up; empty if nothing is known about single layers.",
                saving_fields(), of_finding(&Finding::savings))
          .field("fix", "", "What to do.", of_finding(&Finding::fix))
          .field(
              "proof", "",
              "How the gain of the rule's advice on this engine is known: measured on a small "
              "model, recorded in a pair of engines, or not-proven (docs/reference/evidence.md); "
              "null: a rule of your own.",
              [](std::size_t row, const LintResult& result) {
                return proof_text(finding_of(row, result));
              })
          .field("fingerprint", "", "The same in every build: waivers and baselines can name it.",
                 [](std::size_t row, const LintResult& result) -> const std::string& {
                   return result.fingerprints[row];
                 })
          .object("suppressed", "Why it is not shown and not counted; null if it is.",
                  suppression_fields(), of_finding(&Finding::suppression))
          .in_tables("by")
          .field("folded_into", "",
                 "Position in this list of the finding whose fix removes this one as well: this "
                 "one is its symptom, and no count includes it.",
                 of_finding(&Finding::folded_into))
          .field("symptoms", "", "The findings that fold into this one.",
                 of_finding(&Finding::symptoms))
          .field("action", "",
                 "Position in the actions of the one that removes it; null if it is not shown "
                 "(suppressed, or a symptom of one that is) or has no fix.",
                 of_finding(&Finding::in_action));
  return kFields;
}

const LintFields& lint_list_fields() {
  static const auto kFields =
      LintFields("LintLists", "Actions, findings and rules.")
          .list("actions", kActionsDescription, action_fields(),
                [](const LintResult& result) {
                  std::vector<record::Bound<model::Action, model::PlanModel>> actions;
                  for (const model::Action& action : result.report.actions) {
                    actions.push_back({&action, &result.model});
                  }
                  return actions;
                })
          .list("findings", "Ordered by what a fix saves.", finding_fields(), finding_rows)
          .list("rules", "Every rule, whether it fired or not.", rule_fields(),
                [](const LintResult& result) -> const std::vector<RuleStatus>& {
                  return result.report.rules;
                });
  return kFields;
}

const LintFields& lint_total_fields() {
  const auto counts = Fields<LintReport>("LintCounts", "Findings that are shown.")
                          .field("error", "count", "Errors.", &LintReport::error_count)
                          .field("warning", "count", "Warnings.", &LintReport::warning_count)
                          .field("info", "count", "Hints.", &LintReport::info_count);
  const auto suppressed =
      Fields<LintReport>("SuppressedCounts", "Findings that are not shown.")
          .field("waiver", "count", "Waived.", &LintReport::waived_count)
          .field("baseline", "count", "In the baseline.", &LintReport::baseline_count);
  static const auto kFields =
      LintFields("LintTotals", "Findings in total.")
          .object("counts", "Counts of the findings that are shown.", counts, report_of)
          .object("suppressed_counts", "Counts of the other findings.", suppressed, report_of)
          .field("folded_count", "count", "Findings that are symptoms of others.",
                 [](const LintResult& result) { return result.report.folded_count; })
          .list("waivers", "Each waiver and its state.", waiver_fields(), waiver_rows)
          .object("baseline", "The baseline; null without --baseline.", baseline_fields(),
                  [](const LintResult& result) {
                    return result.report.baseline == nullptr ? nullptr : &result.report;
                  })
          .field("estimated_ms", "ms", "The sum over the actions; null: none has an estimate.",
                 [](const LintResult& result) { return result.report.estimated_ms; })
          .object("estimate_band",
                  "Range of the gain of all actions, end to end: the sums of their ranges; null "
                  "without an estimate.",
                  band_fields(), [](const LintResult& result) { return band_of(result.report); });
  return kFields;
}

const record::Document<LintResult, LintResult>& lint_document() {
  static const record::Document<LintResult, LintResult> kDocument = {
      "planex.lint/2", "What is worth changing in one engine: planex lint --format json",
      LintFields("Lint", "What is worth changing in one engine.")
          .field("engine", "", "Name of the engine.",
                 [](const LintResult& result) {
                   return result.model.text(result.model.engine.name[0]);
                 })
          .with(lint_list_fields())
          .with(lint_total_fields())};
  return kDocument;
}

}  // namespace planex::render
