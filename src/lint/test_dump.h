// A report as text, for goldens and for reading.
#pragma once

#include <string>

#include "base/text.h"
#include "lint/run.h"

namespace planex::lint {

// Status of one rule and all of its findings, with every field on a line of its own.
inline std::string dump(const LintReport& report, std::string_view rule,
                        const model::PlanModel& model) {
  std::string text;
  const auto estimate = [](const std::optional<double>& ms) {
    return ms ? base::format("{:.6g} ms", *ms) : std::string("not known");
  };
  for (const RuleStatus& status : report.rules) {
    if (status.info->id != rule) continue;
    text += base::format("{}: {}, {}, estimated {}\n", rule, to_string(status.outcome),
                         status.count, estimate(status.estimated_ms));
    if (!status.reason.empty()) text += base::format("reason: {}\n", status.reason);
  }
  for (const Finding& finding : report.findings) {
    if (finding.rule != rule) continue;
    text += base::format(
        "\n{} layer {} {}\n  message:   {}\n  evidence:  {}\n  estimated: {}\n  method:    {}\n"
        "  fix:       {}\n",
        model::to_string(finding.severity),
        finding.layer.is_null() ? std::string("of the engine")
                                : base::format("{}", finding.layer.index()),
        finding.layer.is_null()
            ? std::string()
            : base::quoted(model.text(model.layers.name[finding.layer.index()]), 200),
        finding.message, finding.evidence, estimate(finding.estimated_ms), finding.estimate_method,
        finding.fix);
  }
  return text;
}

}  // namespace planex::lint
