#include "render/json/lint_sarif.h"

#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/date.h"
#include "base/printable.h"
#include "base/text.h"
#include "planex/version.h"
#include "render/json/json_writer.h"

namespace planex::render {
namespace {

using base::format;
using lint::EntryState;
using lint::Finding;
using lint::LintReport;
using lint::RuleOutcome;
using lint::SuppressionKind;
using model::PlanModel;
using model::Severity;

std::string_view level_of(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    default:
      return "note";
  }
}

// A path as a relative or file URI: RFC 3986, section 2.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kUnreserved = "-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kUnreserved.find(c) != kUnreserved.npos;
    if (plain) {
      uri += c;
    } else {
      uri += format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

std::string as_sentence(std::string_view phrase) { return format("{}.", phrase); }

// Braces mark placeholders in SARIF's messages (section 3.11.5). Names of layers may contain
// characters that reverse the line where a viewer shows it.
std::string message_text(std::string_view text) {
  std::string result;
  for (const char c : base::printable_document(std::string(text))) {
    if (c == '{' || c == '}') result += c;
    result += c;
  }
  return result;
}

void write_text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key).begin_object().member("text", message_text(text)).end_object();
}

class SarifWriter {
 public:
  SarifWriter(const PlanModel& model, const LintReport& report) : model_(model), report_(report) {
    for (std::size_t i = 0; i < report.rules.size(); ++i) {
      rule_index_[report.rules[i].info->id] = i;
    }
  }

  std::string write() {
    json_.begin_object()
        .member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        .member("version", "2.1.0")
        .key("runs")
        .begin_array()
        .begin_object();
    write_tool();
    write_invocation();
    write_artifacts();
    json_.member("columnKind", "utf16CodeUnits").key("results").begin_array();
    const std::vector<std::string> fingerprints = lint::fingerprints(model_, report_);
    for (std::size_t i = 0; i < fingerprints.size(); ++i) {
      write_result(report_.findings[i], fingerprints[i]);
    }
    // Entries of the baseline that no longer occur: SARIF lists them too.
    for (std::size_t i = 0; i < report_.baseline_uses.size(); ++i) write_gone(i);
    json_.end_array();
    json_.key("properties")
        .begin_object()
        .member("engine", model_.text(model_.engine.name[0]))
        .member("estimated_ms", report_.estimated_ms)
        .end_object();
    json_.end_object().end_array().end_object();
    return json_.take() + "\n";
  }

 private:
  void write_tool() {
    json_.key("tool")
        .begin_object()
        .key("driver")
        .begin_object()
        .member("name", "planex")
        .member("version", PLANEX_VERSION)
        .key("rules")
        .begin_array();
    for (const lint::RuleStatus& status : report_.rules) write_rule(status);
    json_.end_array().end_object().end_object();
  }

  void write_rule(const lint::RuleStatus& status) {
    const lint::RuleInfo& info = *status.info;
    json_.begin_object().member("id", info.id);
    write_text(json_, "shortDescription", as_sentence(info.summary));
    if (!info.rationale.empty()) write_text(json_, "fullDescription", as_sentence(info.rationale));
    json_.key("help")
        .begin_object()
        .member("text", message_text(format("{}. Fix: {}.{}{}", info.summary, info.fix,
                                            info.source.empty() ? "" : " Source: ",
                                            info.source.empty() ? "" : as_sentence(info.source))))
        .end_object();
    json_.key("defaultConfiguration")
        .begin_object()
        .member("level", level_of(status.severity))
        .end_object();
    json_.key("properties")
        .begin_object()
        .member("pack", lint::to_string(info.pack))
        .key("tags")
        .begin_array()
        .value("performance")
        .value(lint::to_string(info.pack))
        .end_array()
        .end_object()
        .end_object();
  }

  void write_invocation() {
    json_.key("invocations").begin_array().begin_object().member("executionSuccessful", true);
    json_.key("toolExecutionNotifications").begin_array();
    for (std::size_t i = 0; i < report_.rules.size(); ++i) {
      const lint::RuleStatus& status = report_.rules[i];
      if (status.reason.empty()) continue;
      note(format("{} {}: {}", status.info->id,
                  status.outcome == RuleOutcome::kSkipped ? "was skipped" : "ran, but",
                  status.reason),
           "note", i);
    }
    for (std::size_t i = 0; i < report_.waiver_uses.size(); ++i) write_waiver_note(i);
    json_.end_array().end_object().end_array();
  }

  void write_waiver_note(std::size_t i) {
    const lint::Waiver& waiver = report_.waivers->list()[i];
    switch (report_.waiver_uses[i].state) {
      case EntryState::kExpired:
        note(format("/waivers/{} expired on {}: {}", i, base::date_text(*waiver.expires),
                    waiver.reason),
             "warning", std::nullopt);
        break;
      case EntryState::kUnused:
        note(format("/waivers/{} matches no finding: {}", i, waiver.reason), "note", std::nullopt);
        break;
      case EntryState::kUnknownRule:
        note(format("/waivers/{} names {}, which is not a rule", i, base::quoted(waiver.rule)),
             "warning", std::nullopt);
        break;
      default:
        break;
    }
  }

  void note(std::string_view text, std::string_view level, std::optional<std::size_t> rule) {
    json_.begin_object();
    write_text(json_, "message", text);
    json_.member("level", level);
    if (rule) {
      json_.key("associatedRule")
          .begin_object()
          .member("id", report_.rules[*rule].info->id)
          .member("index", *rule)
          .end_object();
    }
    json_.end_object();
  }

  void write_artifacts() {
    json_.key("artifacts").begin_array();
    for (std::size_t row = 0; row < model_.files.row_count(); ++row) {
      json_.begin_object();
      write_artifact_location(row, false);
      if (const auto size = model_.files.size_bytes.get(row)) json_.member("length", *size);
      write_text(json_, "description", model_.text(model_.files.kind[row]));
      json_.end_object();
    }
    json_.end_array();
  }

  void write_artifact_location(std::size_t file, bool with_index) {
    json_.key(with_index ? "artifactLocation" : "location")
        .begin_object()
        .member("uri", uri_of(model_.text(model_.files.file[file])));
    if (with_index) json_.member("index", file);
    json_.end_object();
  }

  // Layers come from the file that was read first.
  void write_location(std::string_view layer) {
    json_.key("locations").begin_array().begin_object();
    if (model_.files.row_count() > 0) {
      json_.key("physicalLocation").begin_object();
      write_artifact_location(0, true);
      json_.end_object();
    }
    const std::string_view engine = model_.text(model_.engine.name[0]);
    json_.key("logicalLocations").begin_array().begin_object();
    json_.member("name", layer.empty() ? engine : layer)
        .member("kind", layer.empty() ? "engine" : "layer")
        .end_object()
        .end_array();
    json_.end_object().end_array();
  }

  void write_rule_of(std::string_view rule) {
    json_.member("ruleId", rule);
    const auto known = rule_index_.find(rule);
    if (known != rule_index_.end()) json_.member("ruleIndex", known->second);
  }

  void write_fingerprint(std::string_view fingerprint) {
    json_.key("partialFingerprints")
        .begin_object()
        .member("planexFinding/v1", fingerprint)
        .end_object();
  }

  void write_result(const Finding& finding, std::string_view fingerprint) {
    json_.begin_object();
    write_rule_of(finding.rule);
    // SARIF 2.1.0, section 3.27.10: a result that is not a failure has the level none.
    if (finding.folded_into) json_.member("kind", "informational");
    json_.member("level", finding.folded_into ? "none" : level_of(finding.severity));
    write_text(json_, "message", format("{}. Fix: {}.", finding.message, finding.fix));
    write_location(finding.layer.is_null()
                       ? std::string_view()
                       : model_.text(model_.layers.name[finding.layer.index()]));
    write_fingerprint(fingerprint);
    if (report_.baseline != nullptr) {
      const bool is_old = report_.baseline->find(finding.rule, fingerprint).has_value();
      json_.member("baselineState", is_old ? "unchanged" : "new");
    }
    write_suppression(finding);
    json_.key("properties").begin_object().key("layer_id");
    finding.layer.is_null() ? json_.null() : json_.value(finding.layer.index());
    json_.member("estimated_ms", finding.estimated_ms)
        .text_member("estimate_method", finding.estimate_method)
        .member("folded_into", finding.folded_into)
        .text_member("evidence", finding.evidence)
        .text_member("fix", finding.fix)
        .end_object()
        .end_object();
  }

  // An empty list says that suppressions were checked and nothing is suppressed.
  void write_suppression(const Finding& finding) {
    json_.key("suppressions").begin_array();
    if (finding.suppression) {
      const bool is_waived = finding.suppression->kind == SuppressionKind::kWaiver;
      json_.begin_object()
          .member("kind", "external")
          .member("status", "accepted")
          .member("justification", is_waived
                                       ? report_.waivers->list()[finding.suppression->entry].reason
                                       : report_.baseline->reason())
          .key("properties")
          .begin_object()
          .member("by", is_waived ? "waiver" : "baseline");
      if (is_waived) write_waiver(report_.waivers->list()[finding.suppression->entry]);
      json_.end_object().end_object();
    }
    json_.end_array();
  }

  void write_waiver(const lint::Waiver& waiver) {
    json_.text_member("who", waiver.by)
        .text_member("expires", waiver.expires ? base::date_text(*waiver.expires) : "");
  }

  void write_gone(std::size_t i) {
    if (report_.baseline_uses[i].state != EntryState::kUnused) return;
    const lint::BaselineEntry& entry = report_.baseline->entries()[i];
    json_.begin_object();
    write_rule_of(entry.rule);
    json_.member("kind", "pass").member("level", "none");
    write_text(json_, "message", entry.message.empty() ? "gone" : entry.message);
    write_location(entry.layer);
    write_fingerprint(entry.fingerprint);
    json_.member("baselineState", "absent").end_object();
  }

  const PlanModel& model_;
  const LintReport& report_;
  std::unordered_map<std::string_view, std::size_t> rule_index_;
  JsonWriter json_{JsonStyle::kPretty};
};

}  // namespace

std::string lint_sarif(const PlanModel& model, const LintReport& report) {
  return SarifWriter(model, report).write();
}

}  // namespace planex::render
