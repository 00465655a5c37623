#include "render/json/documents.h"

namespace planex::render {
void write_lint_members(JsonWriter& json, const model::PlanModel& model,
                        const lint::LintReport& report) {
  json.key("findings").begin_array();
  for (const lint::Finding& finding : report.findings) {
    json.begin_object()
        .member("rule", finding.rule)
        .member("severity", to_string(finding.severity))
        .key("layer_id");
    if (finding.layer.is_null()) {
      json.null().key("layer").null();
    } else {
      json.value(finding.layer.index());
      json.text_member("layer", model.text(model.layers.name[finding.layer.index()]));
    }
    json.member("message", finding.message).member("evidence", finding.evidence);
    json.member("estimated_ms", finding.estimated_ms);
    json.text_member("estimate_method", finding.estimate_method);
    json.member("fix", finding.fix).end_object();
  }
  json.end_array().key("rules").begin_array();
  for (const lint::RuleStatus& status : report.rules) {
    json.begin_object()
        .member("id", status.info->id)
        .member("severity", to_string(status.info->severity))
        .member("summary", status.info->summary)
        .member("status", lint::to_string(status.outcome));
    json.text_member("reason", status.reason);
    json.member("count", status.count).member("estimated_ms", status.estimated_ms).end_object();
  }
  json.end_array();
}

void write_lint(JsonWriter& json, const model::PlanModel& model, const lint::LintReport& report) {
  json.begin_object()
      .member("schema", "planex.lint/1")
      .member("engine", model.text(model.engine.name[0]));
  write_lint_members(json, model, report);
  json.key("counts")
      .begin_object()
      .member("error", report.error_count)
      .member("warning", report.warning_count)
      .member("info", report.info_count)
      .end_object();
  json.member("estimated_ms", report.estimated_ms).end_object();
}

std::string lint_json(const model::PlanModel& model, const lint::LintReport& report) {
  JsonWriter json(JsonStyle::kPretty);
  write_lint(json, model, report);
  return json.take() + "\n";
}

}  // namespace planex::render
