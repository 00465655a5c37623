#include "render/text/lint_text.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "render/markdown/table_markdown.h"
#include "render/text/display_width.h"
#include "render/text/grid.h"
#include "render/text/numbers.h"
#include "render/text/wrap.h"

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

std::string layer_name(const PlanModel& model, const Finding& finding) {
  return finding.layer.is_null() ? "the engine"
                                 : printable(model.text(model.layers.name[finding.layer.index()]));
}

// The gravest finding decides how the rule is headed.
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

}  // namespace

std::string lint_text(const PlanModel& model, const LintReport& report, LintDetail detail,
                      const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::string text;
  const auto line = [&](std::string_view content) { text.append(content).append("\n"); };
  for (const RuleFindings& rule : by_rule(report)) {
    const Severity severity = gravest(rule);
    const std::string head =
        format("{}  {}{}",
               painted(format("{}[{}]", severity_word(severity), rule.status->info->id),
                       severity_ink(severity), style.color),
               rule.findings.size() == 1 ? "" : format("{} × ", rule.findings.size()),
               rule.status->info->summary);
    text += wrapped_hanging(head, width, 2, 2);
    if (rule.status->estimated_ms) {
      text += wrapped_hanging(
          format("worth {} per inference: {}", estimate_text(rule.status->estimated_ms),
                 printable(rule.findings.front()->estimate_method)),
          width, 4, 2);
    }
    const std::size_t shown = detail == LintDetail::kAll ? rule.findings.size() : 1;
    for (std::size_t i = 0; i < shown; ++i) {
      const Finding& finding = *rule.findings[i];
      line("  " + painted(width == 0 ? layer_name(model, finding)
                                     : elide_middle(layer_name(model, finding), width - 2),
                          Ink::kStrong, style.color));
      text += wrapped(printable(finding.message), width, 4);
      if (detail == LintDetail::kAll && !finding.evidence.empty())
        text += wrapped(printable(finding.evidence), width, 4);
      text += wrapped("fix: " + printable(finding.fix), width, 4);
    }
    if (shown < rule.findings.size()) {
      line(format("  … {} more", rule.findings.size() - shown));
    }
    line("");
  }
  Grid grid({{}, {Alignment::kRight}, {Alignment::kRight}, {.wraps = true}});
  grid.add_row(
      {{"rule", Ink::kFaint}, {"fired", Ink::kFaint}, {"worth", Ink::kFaint}, {"", Ink::kFaint}});
  for (const RuleStatus& status : report.rules) {
    const bool fired = status.outcome == RuleOutcome::kFired;
    const bool skipped = status.outcome == RuleOutcome::kSkipped;
    grid.add_row({{std::string(status.info->id)},
                  {skipped ? "–" : format("{}", status.count), fired ? Ink::kPlain : Ink::kFaint},
                  {fired ? estimate_text(status.estimated_ms) : ""},
                  {skipped ? "skipped: " + printable(status.reason) : "", Ink::kFaint}});
  }
  for (const std::string& one : grid.lines(width, 2, style.color)) line(one);
  line("");
  std::string last = counts_text(report);
  if (report.estimated_ms) {
    last += format("; together worth {} at most: rules overlap, so this is less than their sum",
                   estimate_text(report.estimated_ms));
  }
  text += wrapped(last, width, 0);
  if (detail == LintDetail::kFirstOfEachRule && !report.findings.empty()) {
    text +=
        wrapped("--all shows every finding with its evidence; --format json and csv too", width, 0);
  }
  return text;
}

std::string lint_markdown(const PlanModel& model, const LintReport& report) {
  std::string text = format("**{}**: {}\n\n", markdown_text(model.text(model.engine.name[0])),
                            counts_text(report));
  if (report.findings.empty()) return text;
  text += "| rule | layer | finding | worth | fix |\n|---|---|---|---:|---|\n";
  for (const Finding& finding : report.findings) {
    text +=
        format("| {} `{}` | {} | {} | {} | {} |\n", severity_word(finding.severity), finding.rule,
               markdown_text(layer_name(model, finding)), markdown_text(finding.message),
               estimate_text(finding.estimated_ms), markdown_text(finding.fix));
  }
  return text;
}

model::DataTable lint_table(const PlanModel& model, const LintReport& report) {
  model::DataTable table;
  table.columns = {
      {"rule", "", false},          {"severity", "", false},        {"layer_id", "", true},
      {"layer", "", false},         {"message", "", false},         {"evidence", "", false},
      {"estimated_ms", "ms", true}, {"estimate_method", "", false}, {"fix", "", false}};
  for (const Finding& finding : report.findings) {
    std::optional<std::int64_t> layer_id;
    std::optional<std::string> layer;
    if (!finding.layer.is_null()) {
      layer_id = static_cast<std::int64_t>(finding.layer.index());
      layer = std::string(model.text(model.layers.name[finding.layer.index()]));
    }
    std::vector<model::Value> row;
    row.emplace_back(std::string(finding.rule));
    row.emplace_back(std::string(to_string(finding.severity)));
    row.push_back(model::value_of(layer_id));
    row.push_back(model::value_of(layer));
    row.emplace_back(finding.message);
    row.emplace_back(finding.evidence);
    row.push_back(model::value_of(finding.estimated_ms));
    row.emplace_back(finding.estimate_method);
    row.emplace_back(finding.fix);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace planex::render
