#include "render/json/lint_json.h"
#include "base/date.h"

namespace planex::render {

std::string baseline_json(const model::PlanModel& model, const lint::LintReport& report,
                          std::string_view reason) {
  const std::vector<std::string> fingerprints = lint::fingerprints(model, report);
  JsonWriter json(JsonStyle::kPretty);
  json.begin_object()
      .member("schema", "planex.baseline/1")
      .member("engine", model.text(model.engine.name[0]))
      .member("reason", reason)
      .key("findings")
      .begin_array();
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const lint::Finding& finding = report.findings[i];
    if (finding.suppression && finding.suppression->kind == lint::SuppressionKind::kWaiver) {
      continue;
    }
    json.begin_object()
        .member("rule", finding.rule)
        .member("fingerprint", fingerprints[i])
        .text_member("layer", finding.layer.is_null()
                                  ? std::string_view()
                                  : model.text(model.layers.name[finding.layer.index()]))
        .member("message", finding.message)
        .end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

std::string waiver_json(const lint::Waiver& waiver) {
  JsonWriter json(JsonStyle::kPretty);
  json.begin_object();
  const auto member = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) json.member(key, text);
  };
  member("rule", waiver.rule);
  member("layer", waiver.layer);
  member("layer_regex", waiver.layer_pattern);
  member("fingerprint", waiver.fingerprint);
  member("reason", waiver.reason);
  member("by", waiver.by);
  if (waiver.expires) json.member("expires", base::date_text(*waiver.expires));
  json.end_object();
  return json.take();
}

}  // namespace planex::render
