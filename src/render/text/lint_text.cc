#include "render/text/lint_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/date.h"
#include "base/text.h"
#include "render/markdown/table_markdown.h"
#include "render/text/actions_text.h"
#include "render/text/grid.h"
#include "render/words/action_sentences.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using base::counted;
using base::format;
using lint::Finding;
using lint::LintReport;
using lint::RuleOutcome;
using lint::RuleStatus;
using model::PlanModel;
using model::Severity;

// Findings of one rule, in the report's order.
struct RuleFindings {
  const RuleStatus* status = nullptr;
  std::vector<const Finding*> findings;
};

std::vector<RuleFindings> by_rule(const LintReport& report) {
  std::vector<RuleFindings> result;
  for (const Finding& finding : report.findings) {
    if (finding.suppression || finding.folded_into) continue;
    auto rule = std::ranges::find_if(
        result, [&](const RuleFindings& known) { return known.status->info->id == finding.rule; });
    if (rule == result.end()) {
      const auto status = std::ranges::find_if(report.rules, [&](const RuleStatus& candidate) {
        return candidate.info->id == finding.rule;
      });
      rule = result.insert(result.end(), {&*status, {}});
    }
    rule->findings.push_back(&finding);
  }
  return result;
}

std::string_view severity_word(Severity severity) {
  return severity == Severity::kInfo ? "note" : to_string(severity);
}

Ink severity_ink(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return Ink::kError;
    case Severity::kWarning:
      return Ink::kWarning;
    default:
      return Ink::kFaint;
  }
}

std::string estimate_text(const std::optional<double>& estimated_ms) {
  return estimated_ms ? format("≈ {} ms", ms_text(*estimated_ms)) : "not known";
}

std::string layer_cell(const PlanModel& model, const Finding& finding) {
  return finding.layer.is_null() ? "the engine"
                                 : printable(model.text(model.layers.name[finding.layer.index()]));
}

// "2 × reformat-changes-type, qdq-unfused".
std::string symptoms_text(const LintReport& report, const Finding& finding) {
  std::vector<std::pair<std::string_view, std::size_t>> counts;  // by rule
  for (const std::size_t symptom : finding.symptoms) {
    const std::string_view rule = report.findings[symptom].rule;
    const auto known =
        std::ranges::find(counts, rule, [](const auto& entry) { return entry.first; });
    if (known == counts.end()) {
      counts.emplace_back(rule, 1);
    } else {
      ++known->second;
    }
  }
  std::string text;
  for (const auto& [rule, count] : counts) {
    text += format("{}{}{}", text.empty() ? "" : ", ", count == 1 ? "" : format("{} × ", count),
                   printable(rule));
  }
  return text;
}

// The most severe finding decides the heading of the rule.
Severity gravest(const RuleFindings& rule) {
  Severity worst = Severity::kInfo;
  for (const Finding* finding : rule.findings) worst = std::min(worst, finding->severity);
  return worst;
}

std::string counts_text(const LintReport& report) {
  std::string text = counted(report.warning_count, "warning");
  if (report.error_count > 0) text = counted(report.error_count, "error") + ", " + text;
  if (report.info_count > 0) text += ", " + counted(report.info_count, "note");
  return text;
}

struct SkippedRules {
  lint::SkipCause cause = lint::SkipCause::kNone;
  std::string_view reason;
  std::string ids;
  std::size_t count = 0;
};

// How a rule that fired is listed next to its count and its saving.
std::string remark_of(const RuleStatus& status, bool any_suppressed) {
  std::string remark = printable(status.reason);
  const auto put_first = [&](const std::string& words) {
    remark = words + (remark.empty() ? "" : "; ") + remark;
  };
  if (any_suppressed && status.suppressed_count > 0) {
    put_first(format("{}{} suppressed", status.suppressed_count, status.count > 0 ? " more" : ""));
  }
  if (status.folded_count > 0) put_first(format("{} folded into their cause", status.folded_count));
  return remark;
}

// The first few actions are shown unless all are asked for.
constexpr std::size_t kShownActions = 5;

// Rules that fired, a row each; then those that found nothing and those that were skipped: with
// all detail by name, otherwise by name only where the files lack what a rule needs.
std::string rules_text(const LintReport& report, LintDetail detail, std::size_t width, bool color) {
  const bool names_all = detail == LintDetail::kAll;
  const bool any_suppressed = report.waived_count + report.baseline_count > 0;
  Grid grid({{}, {Alignment::kRight}, {.wraps = true}});
  grid.add_row({{"rule", Ink::kFaint}, {"fired", Ink::kFaint}, {"", Ink::kFaint}});
  bool any_fired = false;
  std::string silent;
  std::size_t silent_count = 0, folded_count = 0;
  std::vector<SkippedRules> skipped;
  const auto append = [](std::string& ids, const RuleStatus& status) {
    ids += format("{}{}", ids.empty() ? "" : ", ", printable(status.info->id));
  };
  for (const RuleStatus& status : report.rules) {
    switch (status.outcome) {
      case RuleOutcome::kFired:
        folded_count += status.folded_count;
        // Only symptoms: their causes are listed.
        if (!names_all && status.count + status.suppressed_count == 0) break;
        any_fired = true;
        grid.add_row({{printable(status.info->id)},
                      {format("{}", status.count)},
                      {remark_of(status, any_suppressed), Ink::kFaint}});
        break;
      case RuleOutcome::kSilent:
        append(silent, status);
        ++silent_count;
        break;
      case RuleOutcome::kSkipped: {
        auto same = std::ranges::find(skipped, status.reason, &SkippedRules::reason);
        if (same == skipped.end()) {
          same = skipped.insert(same, {status.skip_cause, status.reason, "", 0});
        }
        append(same->ids, status);
        ++same->count;
        break;
      }
    }
  }
  std::string text;
  if (any_fired) {
    for (const std::string& line : grid.lines(width, 2, color)) text.append(line).append("\n");
  }
  const auto list = [&](std::string_view title, std::string_view ids) {
    text += wrapped_hanging(format("{}: {}", painted(title, Ink::kFaint, color), ids), width, 4, 2);
  };
  if (names_all && !silent.empty()) list("silent", silent);
  std::size_t other_engine_count = 0;
  for (const SkippedRules& rules : skipped) {
    if (names_all || rules.cause == lint::SkipCause::kMissingData) {
      list(format("skipped, {}", printable(rules.reason)), rules.ids);
    } else if (rules.cause == lint::SkipCause::kOtherEngine) {
      other_engine_count += rules.count;
    }
  }
  if (!names_all) {
    std::string rest = format("{} found nothing", counted(silent_count, "rule"));
    if (other_engine_count > 0) {
      rest += format(", {} {} for other engines", other_engine_count,
                     other_engine_count == 1 ? "is" : "are");
    }
    if (folded_count > 0) {
      rest += format("; {} folded into their cause", counted(folded_count, "symptom"));
    }
    text += wrapped(painted(rest, Ink::kFaint, color), width, 2);
  }
  return text;
}

// What waivers and the baseline did, and which of their entries need attention.
std::string entries_text(const LintReport& report, std::size_t width) {
  std::string text;
  const auto say = [&](const std::string& sentence) { text += wrapped(sentence, width, 0); };
  const auto item = [&](const std::string& sentence) { text += wrapped(sentence, width, 2); };
  if (report.waivers != nullptr) {
    say(format("{} waived by {}", counted(report.waived_count, "finding"),
               printable(report.waivers->file())));
    for (std::size_t i = 0; i < report.waiver_uses.size(); ++i) {
      const lint::Waiver& waiver = report.waivers->list()[i];
      switch (report.waiver_uses[i].state) {
        case lint::EntryState::kExpired:
          item(format("/waivers/{} expired on {} ({} no longer waived): {}", i,
                      base::date_text(*waiver.expires),
                      counted(report.waiver_uses[i].matched_count, "finding"),
                      printable(waiver.reason)));
          break;
        case lint::EntryState::kUnused:
          item(
              format("/waivers/{} matches no finding; remove it: {}", i, printable(waiver.reason)));
          break;
        case lint::EntryState::kUnknownRule:
          item(format("/waivers/{} names {}, which is not a rule", i, base::quoted(waiver.rule)));
          break;
        default:
          break;
      }
    }
  }
  if (report.baseline != nullptr) {
    const auto gone = static_cast<std::size_t>(std::ranges::count(
        report.baseline_uses, lint::EntryState::kUnused, &lint::EntryUse::state));
    say(format("{} hidden by {}{}", counted(report.baseline_count, "finding"),
               printable(report.baseline->file()),
               gone == 0 ? "" : format("; {} resolved", counted(gone, "entry", "entries"))));
    constexpr std::size_t kShown = 5;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < report.baseline_uses.size() && shown < kShown; ++i) {
      if (report.baseline_uses[i].state != lint::EntryState::kUnused) continue;
      const lint::BaselineEntry& entry = report.baseline->entries()[i];
      item(format("resolved: {}  {}", printable(entry.rule), printable(entry.layer)));
      ++shown;
    }
    if (gone > shown) item(format("… {} more; --format json has all", gone - shown));
  }
  return text;
}

// "; 3 waived, 2 in the baseline", or nothing.
std::string suppressed_text(const LintReport& report) {
  std::string text;
  if (report.waived_count > 0) text += format("; {} waived", report.waived_count);
  if (report.baseline_count > 0) text += format("; {} in the baseline", report.baseline_count);
  return text;
}

}  // namespace

std::string lint_text(const PlanModel& model, const LintReport& report, LintDetail detail,
                      const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::string text;
  const auto line = [&](std::string_view content) { text.append(content).append("\n"); };
  const std::string actions = actions_text(
      report.actions, "what to do",
      detail == LintDetail::kAll ? report.actions.size() : kShownActions, width, style.color);
  if (!actions.empty()) text += actions + "\n";
  for (const RuleFindings& rule : by_rule(report)) {
    const Severity severity = gravest(rule);
    const std::string head =
        format("{}  {}{}",
               painted(format("{}[{}]", severity_word(severity), rule.status->info->id),
                       severity_ink(severity), style.color),
               rule.findings.size() == 1 ? "" : format("{} × ", rule.findings.size()),
               rule.status->info->summary);
    text += wrapped_hanging(head, width, 2, 2);
    const std::size_t shown = detail == LintDetail::kAll ? rule.findings.size() : 1;
    for (std::size_t i = 0; i < shown; ++i) {
      const Finding& finding = *rule.findings[i];
      line("  " + painted(width == 0 ? layer_cell(model, finding)
                                     : elide_middle(layer_cell(model, finding), width - 2),
                          Ink::kStrong, style.color));
      text += wrapped(printable(finding.message), width, 4);
      if (detail == LintDetail::kAll && !finding.evidence.empty())
        text += wrapped(printable(finding.evidence), width, 4);
      if (detail == LintDetail::kAll && finding.estimated_ms) {
        text +=
            wrapped(format("its layers save {} at most: {}", estimate_text(finding.estimated_ms),
                           printable(finding.estimate_method)),
                    width, 4);
      }
      if (!finding.symptoms.empty()) {
        text += wrapped("also fixes: " + symptoms_text(report, finding), width, 4);
      }
      text += wrapped("fix: " + printable(finding.fix), width, 4);
    }
    if (shown < rule.findings.size()) {
      line(format("  … {} more", rule.findings.size() - shown));
    }
    line("");
  }
  text += rules_text(report, detail, width, style.color);
  line("");
  std::string last = counts_text(report);
  if (report.estimated_ms) {
    last += format("; all actions together save {} per inference",
                   saving_words(model::total_of(report.actions)));
  }
  text += wrapped(last, width, 0);
  text += entries_text(report, width);
  const bool any = report.error_count + report.warning_count + report.info_count > 0;
  if (detail == LintDetail::kFirstOfEachRule && any) {
    text += wrapped("--all shows every finding, its evidence and how its saving is estimated",
                    width, 0);
  }
  if (any) {
    const auto first = std::ranges::find_if(report.findings, [](const Finding& finding) {
      return !finding.suppression && !finding.folded_into;
    });
    // A user's rule is explained by the file that contains it.
    if (lint::find_rule(first->rule) != nullptr) {
      text += wrapped(format("planex lint --explain {} describes the rule", first->rule), width, 0);
    }
  }
  return text;
}

std::string lint_markdown(const PlanModel& model, const LintReport& report) {
  std::string text = format("**{}**: {}{}\n\n", markdown_text(model.text(model.engine.name[0])),
                            counts_text(report), suppressed_text(report));
  if (report.error_count + report.warning_count + report.info_count == 0) return text;
  if (!report.actions.empty()) {
    text += "|  | saves | how sure | what to do | command |\n|---:|---|---|---|---|\n";
    for (const model::Action& action : report.actions) {
      text += format("| {} | {} | {} | {} | {} |\n", action.rank ? format("{}", *action.rank) : "–",
                     saving_words(action), certainty_words(action), markdown_text(action.what),
                     action.command.empty() ? "" : format("`{}`", action.command));
    }
    if (report.estimated_ms) {
      text += format("\nAll of them together save {} per inference.\n",
                     saving_words(model::total_of(report.actions)));
    }
    text += "\n";
  }
  text += "| rule | layer | finding | potential saving | fix |\n|---|---|---|---:|---|\n";
  for (const Finding& finding : report.findings) {
    if (finding.suppression || finding.folded_into) continue;
    text +=
        format("| {} `{}` | {} | {} | {} | {} |\n", severity_word(finding.severity), finding.rule,
               markdown_text(layer_cell(model, finding)), markdown_text(finding.message),
               estimate_text(finding.estimated_ms), markdown_text(finding.fix));
  }
  return text;
}

}  // namespace planex::render
