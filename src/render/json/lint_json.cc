#include "base/date.h"
#include "render/json/documents.h"

namespace planex::render {
namespace {

std::string_view to_string(lint::SuppressionKind kind) {
  return kind == lint::SuppressionKind::kWaiver ? "waiver" : "baseline";
}

void write_suppression(JsonWriter& json, const lint::LintReport& report,
                       const std::optional<lint::Suppression>& suppression) {
  json.key("suppressed");
  if (!suppression) {
    json.null();
    return;
  }
  json.begin_object()
      .member("by", to_string(suppression->kind))
      .member("entry", suppression->entry)
      .text_member("reason", suppression->kind == lint::SuppressionKind::kWaiver
                                 ? report.waivers->list()[suppression->entry].reason
                                 : report.baseline->reason())
      .end_object();
}

void write_savings(JsonWriter& json, const lint::Finding& finding) {
  json.key("savings").begin_array();
  for (const lint::SavedTime& saved : finding.savings) {
    json.begin_object()
        .member("layer_id", saved.layer.index())
        .member("fraction", saved.fraction)
        .member("ms", saved.ms)
        .end_object();
  }
  json.end_array();
}

void write_waivers(JsonWriter& json, const lint::LintReport& report) {
  json.key("waivers").begin_array();
  for (std::size_t i = 0; i < report.waiver_uses.size(); ++i) {
    const lint::Waiver& waiver = report.waivers->list()[i];
    json.begin_object()
        .text_member("rule", waiver.rule)
        .text_member("layer", waiver.layer)
        .text_member("layer_regex", waiver.layer_pattern)
        .text_member("fingerprint", waiver.fingerprint)
        .text_member("reason", waiver.reason)
        .text_member("by", waiver.by)
        .text_member("expires", waiver.expires ? base::date_text(*waiver.expires) : "")
        .member("state", lint::to_string(report.waiver_uses[i].state))
        .member("matched_count", report.waiver_uses[i].matched_count)
        .end_object();
  }
  json.end_array();
}

void write_baseline(JsonWriter& json, const lint::LintReport& report) {
  json.key("baseline");
  if (report.baseline == nullptr) {
    json.null();
    return;
  }
  json.begin_object()
      .text_member("reason", report.baseline->reason())
      .member("count", report.baseline_uses.size())
      .key("resolved")
      .begin_array();
  for (std::size_t i = 0; i < report.baseline_uses.size(); ++i) {
    if (report.baseline_uses[i].state != lint::EntryState::kUnused) continue;
    const lint::BaselineEntry& entry = report.baseline->entries()[i];
    json.begin_object()
        .member("rule", entry.rule)
        .member("fingerprint", entry.fingerprint)
        .text_member("layer", entry.layer)
        .text_member("message", entry.message)
        .end_object();
  }
  json.end_array().end_object();
}

}  // namespace

void write_lint_members(JsonWriter& json, const model::PlanModel& model,
                        const lint::LintReport& report) {
  const std::vector<std::string> fingerprints = lint::fingerprints(model, report);
  json.key("findings").begin_array();
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const lint::Finding& finding = report.findings[i];
    json.begin_object()
        .member("rule", finding.rule)
        .member("severity", model::to_string(finding.severity))
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
    write_savings(json, finding);
    json.member("fix", finding.fix).member("fingerprint", fingerprints[i]);
    write_suppression(json, report, finding.suppression);
    json.key("folded_into");
    if (finding.folded_into) {
      json.value(*finding.folded_into);
    } else {
      json.null();
    }
    json.key("symptoms").begin_array();
    for (const std::size_t symptom : finding.symptoms) json.value(symptom);
    json.end_array();
    json.end_object();
  }
  json.end_array().key("rules").begin_array();
  for (const lint::RuleStatus& status : report.rules) {
    json.begin_object()
        .member("id", status.info->id)
        .member("pack", lint::to_string(status.info->pack))
        .member("severity", model::to_string(status.severity))
        .member("summary", status.info->summary)
        .member("status", lint::to_string(status.outcome));
    json.text_member("reason", status.reason);
    json.text_member("rationale", status.info->rationale)
        .text_member("fix", status.info->fix)
        .text_member("evidence", status.info->evidence)
        .text_member("estimate", status.info->estimate)
        .text_member("source", status.info->source);
    json.member("count", status.count)
        .member("suppressed_count", status.suppressed_count)
        .member("folded_count", status.folded_count)
        .member("estimated_ms", status.estimated_ms)
        .end_object();
  }
  json.end_array();
}

void write_lint_totals(JsonWriter& json, const lint::LintReport& report) {
  json.key("counts")
      .begin_object()
      .member("error", report.error_count)
      .member("warning", report.warning_count)
      .member("info", report.info_count)
      .end_object();
  json.key("suppressed_counts")
      .begin_object()
      .member("waiver", report.waived_count)
      .member("baseline", report.baseline_count)
      .end_object();
  json.member("folded_count", report.folded_count);
  write_waivers(json, report);
  write_baseline(json, report);
  json.member("estimated_ms", report.estimated_ms);
  json.key("estimate_band");
  if (const auto band = lint::band_of(report)) {
    json.begin_object()
        .member("low_ms", band->low_ms)
        .member("high_ms", band->high_ms)
        .member("low_ratio", lint::kLowestRatio)
        .member("high_ratio", lint::kHighestRatio)
        .member("pair_count", lint::kPairsOfBand)
        .end_object();
  } else {
    json.null();
  }
}

void write_lint(JsonWriter& json, const model::PlanModel& model, const lint::LintReport& report) {
  json.begin_object()
      .member("schema", "planex.lint/2")
      .member("engine", model.text(model.engine.name[0]));
  write_lint_members(json, model, report);
  write_lint_totals(json, report);
  json.end_object();
}

std::string lint_json(const model::PlanModel& model, const lint::LintReport& report) {
  JsonWriter json(JsonStyle::kPretty);
  write_lint(json, model, report);
  return json.take() + "\n";
}

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
