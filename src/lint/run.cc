#include "lint/run.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "lint/actions.h"
#include "lint/advice.h"
#include "lint/context.h"
#include "lint/fingerprint.h"
#include "lint/quantization.h"
#include "lint/symptoms.h"

namespace planex::lint {
namespace {

using base::format;
using model::PlanModel;

bool any_tactic(const PlanModel& model) {
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (!model.layers.tactic.is_null(row)) return true;
  }
  return false;
}

bool any_type(const PlanModel& model) {
  for (std::size_t row = 0; row < model.ports.row_count(); ++row) {
    if (!model.ports.dtype.is_null(row)) return true;
  }
  return false;
}

// Whether it is known which layer reads what another writes. A profile alone has layers with
// shapes, and its reader names each of their inputs and outputs after the layer: what looks like an
// edge of the engine is then not one.
bool are_linked(const Context& context) {
  const PlanModel& model = context.model();
  for (std::size_t port = 0; port < model.ports.row_count(); ++port) {
    const model::TensorId tensor = model.ports.tensor_id[port];
    const std::string_view layer =
        model.text(model.layers.name[model.ports.layer_id[port].index()]);
    const bool is_made_up = !layer.empty() &&
                            model.text(model.tensors.name[tensor.index()]).starts_with(layer) &&
                            context.writers(tensor).size() + context.readers(tensor).size() <= 1;
    if (!is_made_up) return true;
  }
  return false;
}

bool any_dims(const PlanModel& model) {
  for (std::size_t row = 0; row < model.ports.row_count(); ++row) {
    if (!model.ports.dims.is_null(row)) return true;
  }
  return false;
}

// Which of the facts that the rule needs this model lacks; empty if it has all.
std::string missing(const RuleInfo& info, const Context& context) {
  const PlanModel& model = context.model();
  if (model.layers.row_count() == 0) return "the engine has no layers";
  if (model.is_uncompiled()) return "nothing is compiled: this is a model, not an engine";
  for (const Need need : info.needs) {
    switch (need) {
      case Need::kTypes:
      case Need::kDims:
        // How to get more depends on the producer, and doctor knows it.
        if (model.text(model.engine.detail[0]) == "names-only") {
          return "only layer names are known: planex doctor says how to get the rest";
        }
        if (model.ports.row_count() == 0) {
          return "the layers' tensors are unknown: planex doctor says how to get them";
        }
        if (need == Need::kTypes ? !any_type(model) : !any_dims(model)) {
          return format("the file does not record {}", to_string(need));
        }
        break;
      case Need::kLinks:
        // A single layer is linked only to the engine's edges.
        if (model.layers.row_count() > 1 && !are_linked(context)) {
          return "the file does not record which layer reads what another writes: add --model";
        }
        break;
      case Need::kTactics:
        if (!any_tactic(model)) return "the file does not record which kernels run";
        break;
      case Need::kTimes:
        if (!context.total_ms()) return "no layer times: add a profile";
        // For a rule that asks to measure again, this is one more reason.
        if (context.no_measure() && info.action != ActionKind::kMeasureAgain) {
          return "the layer times do not represent the engine: planex summary says why";
        }
        break;
    }
  }
  return {};
}

// How often the findings of one rule name a layer in their savings.
using Claims = std::unordered_map<std::size_t, std::size_t>;

Claims count_claims(std::span<const FindingDraft> drafts) {
  Claims claims;
  for (const FindingDraft& draft : drafts) {
    for (const Saving& saving : draft.savings) ++claims[saving.layer.index()];
  }
  return claims;
}

Finding finish(const FindingDraft& draft, std::string_view rule, const Context& context,
               const Claims& claims) {
  Finding finding{.rule = rule,
                  .severity = draft.severity,
                  .layer = draft.layer,
                  .message = draft.message,
                  .evidence = draft.evidence,
                  .estimated_ms = draft.stated_ms,
                  .estimate_method = draft.estimate_method,
                  .fix = draft.fix,
                  .also_about = draft.also_about,
                  .quantized_tensors = draft.quantized_tensors};
  if (context.no_measure() && (draft.stated_ms || !draft.savings.empty())) {
    finding.estimated_ms.reset();
    finding.estimate_method += "; not known: the layer times do not represent the engine";
    return finding;
  }
  if (draft.stated_ms) return finding;
  double sum = 0;
  bool is_shared = false;
  bool is_measured = true;
  for (const Saving& saving : draft.savings) {
    const auto time = context.worth_ms(saving.layer);
    is_measured = is_measured && time.has_value();
    SavedTime& saved =
        finding.savings.emplace_back(SavedTime{.layer = saving.layer, .fraction = saving.fraction});
    if (!time) continue;
    const std::size_t claim_count = claims.at(saving.layer.index());
    is_shared = is_shared || claim_count > 1;
    saved.ms = *time * saving.fraction / static_cast<double>(claim_count);
    sum += *saved.ms;
  }
  if (!draft.savings.empty()) {
    if (sum > 0) {
      finding.estimated_ms = sum;
      if (is_shared) {
        finding.estimate_method +=
            "; findings of this rule that name the same layer share its time";
      }
    }
    if (is_measured && !(sum > 0)) {
      finding.estimate_method += "; not known: too short for the profiler, which reports 0";
    }
    if (!is_measured) {
      finding.estimate_method += sum > 0 ? "; some of these layers were not measured"
                                         : "; not known: these layers were not measured";
    }
  }
  return finding;
}

// The rule's own severity becomes what the user set; lesser findings stay what they are, but never
// exceed that.
Severity adjusted(Severity severity, Severity own, Severity wanted) {
  return severity == own ? wanted : std::max(severity, wanted);
}

struct RuleResult {
  RuleStatus status;
  std::vector<Finding> findings;  // by layer
};

// A rule of planex, or a user's rule, whose findings already exist.
struct RuleToRun {
  const RuleInfo* info = nullptr;
  RuleFunction run = nullptr;
  const UserRule* user = nullptr;
};

std::vector<RuleToRun> all_rules(const RunOptions& options) {
  std::vector<RuleToRun> all;
  for (const Rule* rule : rules()) all.push_back({.info = &rule->info, .run = rule->run});
  if (options.user_rules == nullptr) return all;
  for (std::size_t i = 0; i < options.user_rules->rules.size(); ++i) {
    all.push_back({.info = &options.user_rules->infos[i], .user = &options.user_rules->rules[i]});
  }
  return all;
}

void decide_skip(const RuleInfo& info, const Context& context, const Selection& selection,
                 RuleStatus& status) {
  const PlanModel& model = context.model();
  const auto skip = [&](SkipCause cause, std::string reason) {
    status.outcome = RuleOutcome::kSkipped;
    status.skip_cause = cause;
    status.reason = std::move(reason);
  };
  if (std::string reason = not_selected(info, selection); !reason.empty()) {
    return skip(SkipCause::kNotSelected, std::move(reason));
  }
  if (model.layers.row_count() > 0 && !applies(info.pack, model.text(model.engine.producer[0]))) {
    return skip(SkipCause::kOtherEngine, format("for {} only", subject_of(info.pack)));
  }
  if (std::string reason = missing(info, context); !reason.empty()) {
    return skip(SkipCause::kMissingData, std::move(reason));
  }
}

std::string command_for(const RuleInfo& info, const Context& context) {
  const Producer producer = producer_of(context);
  if (info.command.empty() || context.is_calibrated()) return {};
  if (producer == Producer::kOther) return {};
  // The command's default target is OpenVINO.
  if (producer == Producer::kOpenVino) return std::string(info.command);
  return format("{} --target {}", info.command,
                context.model().text(context.model().engine.producer[0]));
}

// Options of the build change what the builder chose by calibration: there are no Q/DQ.
ActionKind action_of(const FindingDraft& draft, const RuleInfo& info, const Context& context) {
  const bool is_calibrated = context.is_calibrated() && !info.command.empty();
  if (is_calibrated || draft.fix == kAllowHalfFix || draft.fix.starts_with(kBuilderChose))
    return ActionKind::kOption;
  return draft.action.value_or(info.action);
}

RuleResult run_rule(const RuleToRun& rule, const Context& context, const RunOptions& options) {
  const RuleInfo& info = *rule.info;
  RuleResult result;
  RuleStatus& status = result.status;
  const auto wanted = options.severities.find(info.id);
  status.info = &info;
  status.command = command_for(info, context);
  status.severity = wanted == options.severities.end() ? info.severity : wanted->second;
  decide_skip(info, context, options.selection, status);
  if (status.outcome == RuleOutcome::kSkipped) return result;
  FindingSink sink;
  if (rule.run != nullptr) rule.run(context, sink);
  const std::span<const FindingDraft> drafts =
      rule.user != nullptr ? std::span<const FindingDraft>(rule.user->drafts) : sink.drafts();
  const Claims claims = count_claims(drafts);
  for (const FindingDraft& draft : drafts) {
    Finding finding = finish(draft, info.id, context, claims);
    finding.action = action_of(draft, info, context);
    if (rule.user == nullptr) {
      finding.proof = proof_of(info.id, context.model().text(context.model().engine.producer[0]),
                               finding.action);
    }
    finding.severity = adjusted(draft.severity, info.severity, status.severity);
    result.findings.push_back(std::move(finding));
  }
  std::ranges::stable_sort(result.findings, {}, &Finding::layer);
  if (!result.findings.empty()) status.outcome = RuleOutcome::kFired;
  if (sink.not_judged_count() > 0) {
    status.reason =
        format("{} could not be judged: {}", base::counted(sink.not_judged_count(), "layer"),
               sink.not_judged_reason());
    // Silence without having looked at anything would read as "all is well".
    if (result.findings.empty() && sink.looked_at_count() == 0) {
      status.outcome = RuleOutcome::kSkipped;
      status.skip_cause = SkipCause::kMissingData;
    }
  }
  return result;
}

std::optional<Suppression> suppression_of(const Finding& finding, std::string_view fingerprint,
                                          const PlanModel& model, LintReport& report,
                                          std::vector<std::size_t>& matches) {
  std::optional<std::size_t> waiver;
  if (report.waivers != nullptr) {
    const std::string_view layer = finding.layer.is_null()
                                       ? std::string_view()
                                       : model.text(model.layers.name[finding.layer.index()]);
    waiver = report.waivers->match(finding.rule, layer, fingerprint, matches);
  }
  std::optional<std::size_t> entry;
  if (report.baseline != nullptr) {
    entry = report.baseline->find(finding.rule, fingerprint);
    if (entry) ++report.baseline_uses[*entry].matched_count;
  }
  // A waiver says more than a baseline entry.
  if (waiver) return Suppression{SuppressionKind::kWaiver, *waiver};
  if (entry) return Suppression{SuppressionKind::kBaseline, *entry};
  return std::nullopt;
}

void suppress(RuleResult& result, const LayerKeys& keys, const PlanModel& model, LintReport& report,
              std::vector<std::size_t>& matches) {
  RuleFingerprints fingerprints(result.status.info->id, keys);
  for (Finding& finding : result.findings) {
    finding.suppression =
        suppression_of(finding, fingerprints.next(finding.layer), model, report, matches);
  }
}

// Findings of a rule whose severity the user set are not folded: the user asked for them by name.
void fold(std::vector<RuleResult>& results, const RunOptions& options) {
  std::vector<FindingOfRule> all;
  std::vector<Finding*> findings;
  for (RuleResult& result : results) {
    const bool is_asked_for = options.severities.contains(result.status.info->id);
    for (Finding& finding : result.findings) {
      all.push_back({&finding, is_asked_for ? 0 : result.status.info->depth});
      findings.push_back(&finding);
    }
  }
  const auto causes = fold_symptoms(all);
  for (std::size_t i = 0; i < causes.size(); ++i) findings[i]->folded_into = causes[i];
}

// Indices in actions are those of findings in the order of the rules' results.
void add_actions(std::vector<RuleResult>& results, const Context& context, LintReport& report) {
  std::vector<FindingToMend> findings;
  std::vector<RuleStatus*> rule_of;
  for (RuleResult& result : results) {
    for (Finding& finding : result.findings) {
      findings.push_back({&finding, &result.status});
      rule_of.push_back(&result.status);
    }
  }
  report.actions = find_actions(findings, context);
  report.estimated_ms = model::total_of(report.actions).estimated_ms;
  for (const model::Action& action : report.actions) {
    if (!action.estimated_ms) continue;
    auto& of_rule = rule_of[action.findings.front()]->estimated_ms;
    of_rule = of_rule.value_or(0) + *action.estimated_ms;
  }
}

// Moves the findings, which are in the order of the rules' results, into the order of the report.
void order_findings(std::vector<RuleResult>& results, LintReport& report) {
  std::vector<std::size_t> order(results.size());
  std::vector<std::size_t> first(results.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    order[i] = i;
    first[i] = count;
    count += results[i].findings.size();
  }
  // Stable: equals stay in the order of the registry. Unknown comes last.
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t result) {
    return results[result].status.estimated_ms.value_or(-1);
  });
  std::vector<std::size_t> place(count);
  for (const std::size_t result : order) {
    for (std::size_t i = 0; i < results[result].findings.size(); ++i) {
      place[first[result] + i] = report.findings.size();
      report.findings.push_back(std::move(results[result].findings[i]));
    }
  }
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    auto& cause = report.findings[i].folded_into;
    if (!cause) continue;
    cause = place[*cause];
    report.findings[*cause].symptoms.push_back(i);
  }
  for (model::Action& action : report.actions) {
    for (std::size_t& finding : action.findings) finding = place[finding];
  }
}

void count(const Finding& finding, RuleStatus& status, LintReport& report) {
  if (finding.suppression) {
    ++status.suppressed_count;
    ++(finding.suppression->kind == SuppressionKind::kWaiver ? report.waived_count
                                                             : report.baseline_count);
    return;
  }
  if (finding.folded_into) {
    ++status.folded_count;
    ++report.folded_count;
    return;
  }
  ++status.count;
  switch (finding.severity) {
    case Severity::kError:
      ++report.error_count;
      break;
    case Severity::kWarning:
      ++report.warning_count;
      break;
    default:
      ++report.info_count;
      break;
  }
}

// An entry is unused only if its rule has run; an entry for all rules, only if all rules that can
// run have.
void judge_entries(LintReport& report) {
  std::unordered_map<std::string_view, bool> ran;
  for (const RuleStatus& status : report.rules) {
    ran[status.info->id] = status.outcome != RuleOutcome::kSkipped;
  }
  const auto state_of = [&](const EntryUse& use, std::string_view rule) {
    if (use.matched_count > 0) return EntryState::kHolds;
    if (rule.empty()) return EntryState::kUnused;
    const auto known = ran.find(rule);
    if (known == ran.end()) return EntryState::kUnknownRule;
    return known->second ? EntryState::kUnused : EntryState::kNotJudged;
  };
  for (std::size_t i = 0; i < report.waiver_uses.size(); ++i) {
    EntryUse& use = report.waiver_uses[i];
    use.state = report.waivers->is_expired(i) ? EntryState::kExpired
                                              : state_of(use, report.waivers->list()[i].rule);
  }
  for (std::size_t i = 0; i < report.baseline_uses.size(); ++i) {
    EntryUse& use = report.baseline_uses[i];
    use.state = state_of(use, report.baseline->entries()[i].rule);
  }
}

}  // namespace

std::string_view to_string(RuleOutcome outcome) {
  switch (outcome) {
    case RuleOutcome::kFired:
      return "fired";
    case RuleOutcome::kSilent:
      return "silent";
    case RuleOutcome::kSkipped:
      return "skipped";
  }
  return {};
}

std::string_view to_string(EntryState state) {
  switch (state) {
    case EntryState::kHolds:
      return "holds";
    case EntryState::kExpired:
      return "expired";
    case EntryState::kUnused:
      return "unused";
    case EntryState::kNotJudged:
      return "not-judged";
    case EntryState::kUnknownRule:
      return "unknown-rule";
  }
  return {};
}

std::string not_selected(const RuleInfo& info, const Selection& selection) {
  const auto names = [](const auto& list, const auto& item) {
    return std::ranges::find(list, item) != list.end();
  };
  if (names(selection.without, info.id)) return "disabled";
  if (!selection.packs.empty() && !names(selection.packs, info.pack)) {
    return "pack not selected";
  }
  if (!selection.rules.empty() && !names(selection.rules, info.id)) return "not selected";
  return {};
}

LintReport run(const PlanModel& model, const RunOptions& options) {
  const Context context(model, options.judgements);
  const std::vector<RuleToRun> to_run = all_rules(options);
  std::vector<RuleResult> results(to_run.size());
  const auto run_every_other = [&](std::size_t first) {
    for (std::size_t i = first; i < results.size(); i += 2) {
      results[i] = run_rule(to_run[i], context, options);
    }
  };
  constexpr std::size_t kManyLayers = 10'000;
  if (context.layer_count() < kManyLayers) {
    run_every_other(0);
    run_every_other(1);
  } else {
    base::run_both([&] { run_every_other(0); }, [&] { run_every_other(1); });
  }

  LintReport report{
      .user_rules = options.user_rules, .waivers = options.waivers, .baseline = options.baseline};
  if (report.waivers != nullptr) report.waiver_uses.resize(report.waivers->list().size());
  if (report.baseline != nullptr) report.baseline_uses.resize(report.baseline->entries().size());
  std::vector<std::size_t> matches(report.waiver_uses.size());
  std::optional<LayerKeys> keys;
  if (report.waivers != nullptr || report.baseline != nullptr) keys.emplace(context);
  fold(results, options);
  for (RuleResult& result : results) {
    if (keys) suppress(result, *keys, model, report, matches);
    for (const Finding& finding : result.findings) count(finding, result.status, report);
  }
  add_actions(results, context, report);
  for (const RuleResult& result : results) report.rules.push_back(result.status);
  report.end_to_end_ms = context.end_to_end_ms();
  for (std::size_t i = 0; i < matches.size(); ++i) {
    report.waiver_uses[i].matched_count = matches[i];
  }
  judge_entries(report);
  order_findings(results, report);
  return report;
}

std::optional<EstimateBand> band_of(const LintReport& report) {
  if (!report.estimated_ms) return std::nullopt;
  const model::ActionTotal total = model::total_of(report.actions);
  return EstimateBand{total.low_ms, total.high_ms.value_or(0)};
}

std::vector<std::string> fingerprints(const PlanModel& model, const LintReport& report) {
  const graph::DataFlow flow(model);
  const LayerKeys keys(flow);
  std::vector<std::string> texts;
  texts.reserve(report.findings.size());
  // The findings of a rule are contiguous, ordered by layer.
  std::optional<RuleFingerprints> of_rule;
  std::string_view rule;
  for (const Finding& finding : report.findings) {
    if (!of_rule || finding.rule != rule) of_rule.emplace(finding.rule, keys);
    rule = finding.rule;
    texts.push_back(of_rule->next(finding.layer));
  }
  return texts;
}

void store(const LintReport& report, PlanModel& model) {
  model::FindingsTable& table = model.findings;
  if (table.row_count() > 0) return;
  base::StringPool& strings = model.strings;
  for (const Finding& finding : report.findings) {
    if (finding.folded_into) continue;
    const std::size_t row = table.add_row();
    table.rule.set(row, strings.intern(finding.rule));
    table.severity.set(row, finding.severity);
    table.layer_id.set(row, finding.layer);
    table.message.set(row, strings.add(finding.message));
    table.evidence.set(row, strings.add(finding.evidence));
    table.estimated_ms.set(row, finding.estimated_ms);
    table.estimate_method.set(row, strings.intern(finding.estimate_method));
    table.fix.set(row, strings.add(finding.fix));
  }
}

}  // namespace planex::lint
