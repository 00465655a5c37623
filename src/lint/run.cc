#include "lint/run.h"

#include <algorithm>
#include <map>

#include "base/parallel.h"
#include "base/text.h"
#include "lint/context.h"

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

bool any_dims(const PlanModel& model) {
  for (std::size_t row = 0; row < model.ports.row_count(); ++row) {
    if (!model.ports.dims.is_null(row)) return true;
  }
  return false;
}

// Why the rule can't run on this model; empty where it can.
std::string missing(const RuleInfo& info, const Context& context) {
  const PlanModel& model = context.model();
  if (model.layers.row_count() == 0) return "the engine has no layers";
  if (!applies(info.pack, model.text(model.engine.producer[0]))) {
    return format("it is about {}", subject_of(info.pack));
  }
  for (const Need need : info.needs) {
    switch (need) {
      case Need::kTypes:
      case Need::kDims:
        // Each producer has its own way to tell more, and doctor knows them.
        if (model.text(model.engine.detail[0]) == "names-only") {
          return "only names of layers are known: planex doctor says how to get the rest";
        }
        if (model.ports.row_count() == 0) {
          return "no tensors of layers are known: planex doctor says how to get them";
        }
        if (need == Need::kTypes ? !any_type(model) : !any_dims(model)) {
          return format("the file does not tell {}", to_string(need));
        }
        break;
      case Need::kTactics:
        if (!any_tactic(model)) return "the file does not tell which kernels run";
        break;
      case Need::kTimes:
        if (!context.total_ms()) return "no layer times: add a profile";
        break;
    }
  }
  return {};
}

// How often the findings of one rule name a layer in their savings.
std::map<std::size_t, std::size_t> count_claims(std::span<const FindingDraft> drafts) {
  std::map<std::size_t, std::size_t> claims;
  for (const FindingDraft& draft : drafts) {
    for (const Saving& saving : draft.savings) ++claims[saving.layer.index()];
  }
  return claims;
}

// The largest part of each layer that any rule would save.
using SavedFractions = std::map<std::size_t, double>;

Finding finish(const FindingDraft& draft, std::string_view rule, const Context& context,
               const std::map<std::size_t, std::size_t>& claims, SavedFractions& saved) {
  Finding finding{.rule = rule,
                  .severity = draft.severity,
                  .layer = draft.layer,
                  .message = draft.message,
                  .evidence = draft.evidence,
                  .estimate_method = draft.estimate_method,
                  .fix = draft.fix};
  double sum = 0;
  bool is_shared = false;
  bool is_measured = true;
  for (const Saving& saving : draft.savings) {
    const auto time = context.time_ms(saving.layer);
    is_measured = is_measured && time.has_value();
    if (!time) continue;
    const std::size_t claim_count = claims.at(saving.layer.index());
    is_shared = is_shared || claim_count > 1;
    sum += *time * saving.fraction / static_cast<double>(claim_count);
    double& fraction = saved[saving.layer.index()];
    fraction = std::max(fraction, saving.fraction);
  }
  if (!draft.savings.empty()) {
    if (sum > 0) {
      finding.estimated_ms = sum;
      if (is_shared) {
        finding.estimate_method +=
            "; the time of a layer that several findings of this rule name is divided among them";
      }
    }
    if (is_measured && !(sum > 0)) {
      finding.estimate_method += "; not known: too short for the profiler, which says 0";
    }
    if (!is_measured) {
      finding.estimate_method += sum > 0 ? "; some of these layers were not measured"
                                         : "; not known: these layers were not measured";
    }
  }
  return finding;
}

std::optional<double> sum_of_estimates(std::span<const Finding> findings) {
  std::optional<double> sum;
  for (const Finding& finding : findings) {
    if (finding.estimated_ms) sum = sum.value_or(0) + *finding.estimated_ms;
  }
  return sum;
}

struct RuleResult {
  RuleStatus status;
  std::vector<Finding> findings;
};

RuleResult run_rule(const Rule& rule, const Context& context, SavedFractions& saved) {
  RuleResult result;
  result.status.info = &rule.info;
  result.status.reason = missing(rule.info, context);
  if (!result.status.reason.empty()) {
    result.status.outcome = RuleOutcome::kSkipped;
    return result;
  }
  FindingSink sink;
  rule.run(context, sink);
  const auto claims = count_claims(sink.drafts());
  for (const FindingDraft& draft : sink.drafts()) {
    result.findings.push_back(finish(draft, rule.info.id, context, claims, saved));
  }
  std::ranges::stable_sort(result.findings, {}, &Finding::layer);
  result.status.count = result.findings.size();
  result.status.estimated_ms = sum_of_estimates(result.findings);
  if (!result.findings.empty()) result.status.outcome = RuleOutcome::kFired;
  if (sink.not_judged_count() > 0) {
    result.status.reason =
        format("{} could not be judged: {}", base::counted(sink.not_judged_count(), "layer"),
               sink.not_judged_reason());
    // Silence without having looked at anything would read as "all is well".
    if (result.findings.empty() && sink.looked_at_count() == 0) {
      result.status.outcome = RuleOutcome::kSkipped;
    }
  }
  return result;
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

LintReport run(const PlanModel& model) {
  const Context context(model);
  std::vector<RuleResult> results(rules().size());
  const auto run_every_other = [&](std::size_t first, SavedFractions& saved) {
    for (std::size_t i = first; i < results.size(); i += 2) {
      results[i] = run_rule(*rules()[i], context, saved);
    }
  };
  SavedFractions saved, others_saved;
  constexpr std::size_t kManyLayers = 10'000;
  if (context.layer_count() < kManyLayers) {
    run_every_other(0, saved);
    run_every_other(1, saved);
  } else {
    base::run_both([&] { run_every_other(0, saved); }, [&] { run_every_other(1, others_saved); });
  }
  for (const auto& [layer, fraction] : others_saved) {
    double& most = saved[layer];
    most = std::max(most, fraction);
  }

  LintReport report;
  for (const RuleResult& result : results) report.rules.push_back(result.status);
  // Stable: equals stay in the order of the registry. Unknown comes last.
  std::ranges::stable_sort(results, std::ranges::greater{}, [](const RuleResult& result) {
    return result.status.estimated_ms.value_or(-1);
  });
  for (RuleResult& result : results) {
    for (Finding& finding : result.findings) {
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
      report.findings.push_back(std::move(finding));
    }
  }
  for (const auto& [layer, fraction] : saved) {
    report.estimated_ms =
        report.estimated_ms.value_or(0) + fraction * context.time_ms(LayerId(layer)).value_or(0);
  }
  return report;
}

void store(const LintReport& report, PlanModel& model) {
  model::FindingsTable& table = model.findings;
  if (table.row_count() > 0) return;
  base::StringPool& strings = model.strings;
  for (const Finding& finding : report.findings) {
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
