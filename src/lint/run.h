// Runs all rules over a model.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/baseline.h"
#include "lint/evidence.h"
#include "lint/rule.h"
#include "lint/user_rule.h"
#include "lint/waivers.h"
#include "model/action.h"
#include "model/judgements.h"
#include "model/plan_model.h"

namespace planex::lint {

// Which rules run. An empty list selects all.
struct Selection {
  std::vector<Pack> packs;
  std::vector<std::string> rules;    // ids
  std::vector<std::string> without;  // ids
};
// Why the user's selection excludes a rule; empty if it does not.
std::string not_selected(const RuleInfo& info, const Selection& selection);

struct RunOptions {
  Selection selection;
  // By id: what findings with the rule's own severity count as; lesser ones count as that at most.
  std::map<std::string, Severity, std::less<>> severities;
  // Shared with the report, which uses its texts. Null if there are none.
  std::shared_ptr<const UserRules> user_rules;
  std::shared_ptr<const Waivers> waivers;
  std::shared_ptr<const Baseline> baseline;
  // What analyses judged about the engine; only used during the run. Null if there are none.
  const model::Judgements* judgements = nullptr;
};

enum class SuppressionKind : std::uint8_t { kWaiver, kBaseline };
// Why a finding is not shown.
struct Suppression {
  SuppressionKind kind = SuppressionKind::kWaiver;
  std::size_t entry = 0;  // of report.waivers->list() or report.baseline->entries()
};

// What a fix saves of one layer's measured time.
struct SavedTime {
  LayerId layer;
  double fraction = 1;  // of the layer's time, (0, 1]
  // This finding's share of it, if several findings of the rule name the layer. Null: the layer was
  // not measured.
  std::optional<double> ms = {};
};

struct Finding {
  std::string_view rule;  // id
  Severity severity = Severity::kWarning;
  LayerId layer;  // null: the engine
  std::string message = {};
  std::string evidence = {};
  // What a fix saves per inference, in ms, as `estimate_method` says. Null is "not known", never 0.
  std::optional<double> estimated_ms = {};
  std::string estimate_method = {};
  // What the estimate adds up; empty if it was stated, or if nothing is known.
  std::vector<SavedTime> savings = {};
  std::string fix = {};
  // Other layers that the fix changes (FindingDraft::also_about).
  std::vector<LayerId> also_about = {};
  // As in FindingDraft.
  std::vector<model::TensorId> quantized_tensors = {};
  ActionKind action = ActionKind::kEdit;
  // How the gain of such advice is known; null for a user's rule.
  std::optional<Proof> proof = {};
  std::optional<Suppression> suppression = {};
  // The finding that it is a symptom of, an index into report.findings: its fix removes this one as
  // well.
  std::optional<std::size_t> folded_into = {};
  std::vector<std::size_t> symptoms = {};
  // The action that removes it, an index into report.actions; null if it is not shown, or asks for
  // nothing.
  std::optional<std::size_t> in_action = {};
};

enum class RuleOutcome : std::uint8_t { kFired, kSilent, kSkipped };
std::string_view to_string(RuleOutcome outcome);

// Why a rule was skipped. Only missing data is news to the user.
enum class SkipCause : std::uint8_t { kNone, kNotSelected, kOtherEngine, kMissingData };

struct RuleStatus {
  const RuleInfo* info = nullptr;              // static storage, or report.user_rules
  Severity severity = Severity::kNull;         // the highest, after the user's setting
  RuleOutcome outcome = RuleOutcome::kSilent;  // fired: even if all of it is suppressed
  SkipCause skip_cause = SkipCause::kNone;
  // Why it was skipped; or what it could not judge although it ran. Empty otherwise.
  std::string reason;
  // RuleInfo::command, for the engine's producer; empty if that is not one of its targets, or if
  // the builder itself chose what to quantize.
  std::string command;
  std::size_t count = 0;             // shown findings
  std::size_t suppressed_count = 0;  // findings that are waived or in the baseline
  std::size_t folded_count = 0;      // findings that are symptoms of others
  // The sum over the actions whose first finding is of this rule. Null if none has an estimate.
  std::optional<double> estimated_ms;
};

// What became of a waiver or of a baseline entry.
enum class EntryState : std::uint8_t {
  kHolds,        // there is a matching finding
  kExpired,      // a waiver whose day has passed: it is no longer in effect
  kUnused,       // no finding matches any more
  kNotJudged,    // its rule did not run
  kUnknownRule,  // there is no such rule
};
std::string_view to_string(EntryState state);

struct EntryUse {
  EntryState state = EntryState::kNotJudged;
  std::size_t matched_count = 0;  // findings it is about, even if another waiver came first
};

struct LintReport {
  // By rule, the largest estimate first, then by layer; includes suppressed ones.
  std::vector<Finding> findings;
  std::vector<RuleStatus> rules;  // all rules, in the order of the registry, then the user's
  // What to do about the shown findings, in that order: lint/actions.h.
  std::vector<model::Action> actions;
  // Shown findings, by severity.
  std::size_t error_count = 0;
  std::size_t warning_count = 0;
  std::size_t info_count = 0;
  // The others.
  std::size_t waived_count = 0;
  std::size_t baseline_count = 0;
  std::size_t folded_count = 0;
  // The sum over the actions, which equals the sum over the rules. Null if none has an estimate.
  std::optional<double> estimated_ms;
  // One inference from end to end, if it was measured: no gain exceeds it.
  std::optional<double> end_to_end_ms;

  std::shared_ptr<const UserRules> user_rules;
  std::shared_ptr<const Waivers> waivers;
  std::vector<EntryUse> waiver_uses;  // parallel to waivers->list()
  std::shared_ptr<const Baseline> baseline;
  std::vector<EntryUse> baseline_uses;  // parallel to baseline->entries()
};

// What fixes really gained end to end, divided by what was predicted, in the recorded pairs of
// engines whose second one has the fixes: docs/design/0032-findings-judged.md, checked by
// estimate_test.cc.
inline constexpr double kLowestRatio = 0.94;
inline constexpr double kHighestRatio = 1.50;
inline constexpr int kPairsOfBand = 4;

struct EstimateBand {
  // The sums over the actions; the low one is null if no action has one.
  std::optional<double> low_ms;
  double high_ms = 0;
};
// The range of the gain of all actions; null without an estimate.
std::optional<EstimateBand> band_of(const LintReport& report);

// Shapes: model → findings[F], F unbounded by layers: a layer can have several.
// Units:  ms per inference, from medians, or means where a layer has no median.
// Errors: none; a rule that can't judge says so in `rules`.
// Owns:   its texts, or shares those of the options; `info` of planex's own rules is static.
// Cost:   O(rules · (layers + ports)), and O(log waivers + name) for each finding.
LintReport run(const model::PlanModel& model, const RunOptions& options = {});

// What identifies the findings from build to build (fingerprint.h), parallel to report.findings.
// Not part of run(): only waivers, baselines and documents for programs need it, and it costs more
// than a rule. Cost: O(sources · log + layers + ports + findings).
std::vector<std::string> fingerprints(const model::PlanModel& model, const LintReport& report);

// Adds the findings, without those that are symptoms of others, to model.findings, for SQL and the
// report. Call once per model: rows can't be removed, so a model that has findings is left as it
// is.
void store(const LintReport& report, model::PlanModel& model);

// All rules, as CMakeLists.txt lists them.
std::span<const Rule* const> rules();
// By id; null where there is none.
const Rule* find_rule(std::string_view id);

}  // namespace planex::lint
