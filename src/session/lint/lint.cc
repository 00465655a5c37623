#include "session/lint/lint.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/lint_files.h"
#include "lint/examples.h"
#include "lint/markdown.h"
#include "lint/run.h"
#include "render/csv/table_csv.h"
#include "render/fields/lint.h"
#include "render/fields/lint_rules.h"
#include "render/json/lint_json.h"
#include "render/json/lint_sarif.h"
#include "render/json/record_json.h"
#include "render/tables/record_table.h"
#include "render/text/lint_text.h"
#include "render/text/rule_text.h"
#include "session/answer/format.h"
#include "session/lint/user_rules.h"
#include "session/lint/waivers.h"

namespace planex::session {
namespace {

using base::format;
using base::quoted;

// Checks that the baseline would not overwrite an input.
Result<void> check_baseline(const model::PlanModel& model, const LintRequest& request) {
  if (!request.write_baseline) return {};
  std::vector<std::string> inputs;
  for (const auto& named : {request.rules_file, request.waivers, request.baseline}) {
    if (named) inputs.push_back(*named);
  }
  for (std::size_t row = 0; row < model.files.row_count(); ++row) {
    inputs.emplace_back(model.text(model.files.file[row]));
  }
  for (const std::string& input : inputs) {
    if (!base::is_same_file(input, *request.write_baseline)) continue;
    return fail({.code = ErrorCode::kUsage,
                 .message = "the baseline would overwrite an input file",
                 .file = *request.write_baseline,
                 .hint = "choose another name for it"});
  }
  return {};
}

// "; did you mean "x"?", or nothing.
std::string meant(std::string_view word, const std::vector<std::string_view>& words) {
  const auto near = base::nearest(word, words);
  return near ? format("; did you mean \"{}\"?", *near) : "";
}

std::vector<std::string_view> rule_ids(const UserRulesFile* user) {
  std::vector<std::string_view> ids;
  for (const lint::Rule* rule : lint::rules()) ids.push_back(rule->info.id);
  if (user == nullptr) return ids;
  for (const lint::UserRule& rule : user->rules) ids.push_back(rule.id);
  return ids;
}

Result<void> check_rule(std::string_view id, const std::vector<std::string_view>& ids) {
  if (std::ranges::find(ids, id) != ids.end()) return {};
  return fail(ErrorCode::kUsage, format("there is no rule {}{}", quoted(id), meant(id, ids)),
              "planex lint --rules describes all; your own rules need --rules-file");
}

Result<lint::Selection> selection_of(const LintRequest& request,
                                     const std::vector<std::string_view>& ids) {
  lint::Selection selection{.rules = request.rules, .without = request.without_rules};
  for (const std::string& id : request.packs) {
    const auto pack = lint::parse_pack(id);
    if (!pack) {
      std::vector<std::string_view> names;
      for (const lint::Pack known : lint::kPacks) names.push_back(lint::to_string(known));
      return fail(ErrorCode::kUsage, format("there is no pack {}{}", quoted(id), meant(id, names)),
                  format("packs: {}", base::join_words(names)));
    }
    selection.packs.push_back(*pack);
  }
  for (const auto* list : {&request.rules, &request.without_rules}) {
    for (const std::string& id : *list) PLANEX_TRY(check_rule(id, ids));
  }
  return selection;
}

Result<std::map<std::string, lint::Severity, std::less<>>> severities_of(
    const LintRequest& request, const std::vector<std::string_view>& ids) {
  std::map<std::string, lint::Severity, std::less<>> severities;
  for (const std::string& text : request.severities) {
    const std::size_t equals = text.find('=');
    const std::string id = text.substr(0, equals);
    const std::string word = equals == text.npos ? "" : text.substr(equals + 1);
    std::optional<lint::Severity> severity;
    for (const auto known :
         {lint::Severity::kError, lint::Severity::kWarning, lint::Severity::kInfo}) {
      if (model::to_string(known) == word) severity = known;
    }
    if (!severity) {
      return fail(ErrorCode::kUsage,
                  format("{} is not a severity of a rule: expected RULE=error, RULE=warning or "
                         "RULE=info",
                         quoted(text)));
    }
    PLANEX_TRY(check_rule(id, ids));
    severities[id] = *severity;
  }
  return severities;
}

Result<std::shared_ptr<const lint::Baseline>> read_baseline(const std::string& path) {
  PLANEX_ASSIGN(auto bytes, base::disk().read(path));
  const ingest::Artefact file{.path = path, .bytes = std::move(bytes)};
  PLANEX_ASSIGN(ingest::BaselineFile records, ingest::read_baseline(file));
  std::vector<lint::BaselineEntry> entries;
  for (ingest::BaselineRecord& record : records.findings) {
    entries.push_back({.rule = std::move(record.rule),
                       .fingerprint = std::move(record.fingerprint),
                       .layer = std::move(record.layer),
                       .message = std::move(record.message)});
  }
  return std::make_shared<const lint::Baseline>(std::move(entries), std::move(records.reason),
                                                path);
}

bool asks_for_a_run(const LintRequest& request) {
  return !request.packs.empty() || !request.rules.empty() || !request.without_rules.empty() ||
         !request.severities.empty() || request.rules_file || request.waivers || request.baseline;
}

Result<lint::LintReport> report_of(const model::PlanModel& model,
                                   const model::Judgements& judgements,
                                   const LintRequest& request) {
  std::optional<UserRulesFile> user;
  if (request.rules_file) {
    PLANEX_ASSIGN(user, read_user_rules(*request.rules_file));
  }
  const std::vector<std::string_view> ids = rule_ids(user ? &*user : nullptr);
  lint::RunOptions options;
  PLANEX_ASSIGN(options.selection, selection_of(request, ids));
  PLANEX_ASSIGN(options.severities, severities_of(request, ids));
  if (request.waivers) {
    PLANEX_ASSIGN(options.waivers, read_waivers(*request.waivers, request.today));
  }
  if (request.baseline) {
    PLANEX_ASSIGN(options.baseline, read_baseline(*request.baseline));
  }
  if (user) {
    PLANEX_ASSIGN(options.user_rules,
                  run_user_rules(std::move(*user), model, options.selection, request.max_seconds));
  }
  options.judgements = &judgements;
  return lint::run(model, options);
}

record::Rows finding_table(const render::LintResult& result) {
  return record::rows_of(render::finding_rows(result), render::finding_fields(), result);
}

Result<std::string> document(const EngineToLint& engine, const lint::LintReport& report,
                             const LintRequest& request, const View& view) {
  switch (view.format) {
    case Format::kText:
      return render::lint_text(
          engine.model, report,
          request.all ? render::LintDetail::kAll : render::LintDetail::kFirstOfEachRule,
          style_of(view));
    case Format::kJson: {
      const render::LintResult result(engine.model, report);
      return render::json_document(render::lint_document(), result, result);
    }
    case Format::kCsv: {
      const render::LintResult result(engine.model, report);
      return render::csv_table(render::table_of(finding_table(result)));
    }
    case Format::kMarkdown:
      return render::lint_markdown(engine.model, report);
    case Format::kSarif:
      return render::lint_sarif(engine.model, report);
    default:
      return fail(ErrorCode::kUsage,
                  "lint has no such format; it has text, json, csv, markdown and sarif");
  }
}

Result<std::vector<lint::Waiver>> wanted_waivers(const EngineToLint& engine,
                                                 const LintRequest& request) {
  LintRequest before = request;
  if (base::disk().kind(*request.waivers) == base::PathKind::kMissing) before.waivers.reset();
  PLANEX_ASSIGN(const auto chosen, chosen_report(engine.model, engine.judgements, before));
  const lint::LintReport& report = chosen ? *chosen : engine.report;
  const std::vector<std::string> fingerprints = lint::fingerprints(engine.model, report);
  std::vector<lint::Waiver> waivers;
  for (const std::string& fingerprint : request.waive) {
    const auto known = std::ranges::find(fingerprints, fingerprint);
    if (known == fingerprints.end()) {
      return fail(ErrorCode::kUsage,
                  format("no finding of this engine has the fingerprint {}", quoted(fingerprint)),
                  "--format json shows all fingerprints");
    }
    const lint::Finding& finding =
        report.findings[static_cast<std::size_t>(known - fingerprints.begin())];
    const auto is_same = [&](const lint::Waiver& waiver) {
      return waiver.fingerprint == fingerprint && waiver.rule == finding.rule;
    };
    if (std::ranges::any_of(waivers, is_same)) continue;
    if (finding.suppression && finding.suppression->kind == lint::SuppressionKind::kWaiver) {
      continue;
    }
    for (std::size_t i = 0; report.waivers != nullptr && i < report.waiver_uses.size(); ++i) {
      if (!report.waivers->is_expired(i) || !is_same(report.waivers->list()[i])) continue;
      return fail({.code = ErrorCode::kUsage,
                   .message = format("the waiver of the finding {} has expired", fingerprint),
                   .file = *request.waivers,
                   .json_pointer = format("/waivers/{}", i),
                   .hint = "change its date there, or remove it"});
    }
    waivers.push_back(
        {.rule = std::string(finding.rule), .fingerprint = fingerprint, .reason = request.reason});
  }
  return waivers;
}

// Accepts findings, for this run and the next ones.
Result<void> waive(const EngineToLint& engine, const LintRequest& request) {
  if (request.waive.empty()) return {};
  if (!request.waivers) {
    return fail(ErrorCode::kUsage, "waiving needs a file to write to",
                "add --waivers FILE; it is created if it does not exist");
  }
  if (request.reason.empty()) {
    return fail(ErrorCode::kUsage, "waiving needs a reason", "--reason \"why it is accepted\"");
  }
  PLANEX_ASSIGN(const std::vector<lint::Waiver> waivers, wanted_waivers(engine, request));
  return add_waivers(*request.waivers, waivers);
}

// Rules that the request names count, whatever they are about.
bool is_named(std::string_view id, const LintRequest& request) {
  return std::ranges::find(request.rules, id) != request.rules.end() ||
         std::ranges::any_of(request.severities, [&](const std::string& text) {
           return std::string_view(text).substr(0, text.find('=')) == id;
         });
}

void count_measurement(const lint::LintReport& report, const LintRequest& request,
                       LintResult& result) {
  for (const lint::Finding& finding : report.findings) {
    if (finding.suppression || finding.folded_into) continue;
    const lint::Rule* rule = lint::find_rule(finding.rule);
    if (rule == nullptr || !lint::is_about_measurement(rule->info)) continue;
    if (is_named(finding.rule, request)) continue;
    switch (finding.severity) {
      case lint::Severity::kError:
        ++result.measurement_error_count;
        break;
      case lint::Severity::kWarning:
        ++result.measurement_warning_count;
        break;
      default:
        ++result.measurement_info_count;
        break;
    }
  }
}

// Not every format fits: SARIF is for findings, for example.
Result<void> check_rule_format(Format wanted, std::string_view option,
                               std::initializer_list<Format> formats, std::string_view names) {
  if (std::ranges::find(formats, wanted) != formats.end()) return {};
  return fail(ErrorCode::kUsage, base::format("{} does not support this --format", option),
              base::format("the formats are {}", names));
}

std::string rules_text(const render::LintRules& rules, const View& view,
                       const std::function<std::string(const render::TableStyle&)>& text) {
  return write({.document = {render::lint_rules_document(), rules},
                .rows = [&] { return record::rows_of(rules.rules, render::lint_rule_fields()); },
                .markdown = [] { return lint::rules_reference(); },
                .text = text},
               view);
}

}  // namespace

Result<std::optional<lint::LintReport>> chosen_report(const model::PlanModel& model,
                                                      const model::Judgements& judgements,
                                                      const LintRequest& request) {
  if (!asks_for_a_run(request)) return std::nullopt;
  return report_of(model, judgements, request);
}

Result<void> lint(const EngineToLint& engine, const LintRequest& request, const Take& take) {
  PLANEX_ASSIGN(const std::optional<lint::LintReport> chosen,
                chosen_report(engine.model, engine.judgements, request));
  const render::LintResult result(engine.model, chosen ? *chosen : engine.report);
  return take({.document = {render::lint_document(), result, result},
               .rows = [&] { return finding_table(result); }});
}

Result<LintResult> lint(const EngineToLint& engine, const LintRequest& request, const View& view) {
  PLANEX_TRY(check_baseline(engine.model, request));
  PLANEX_TRY(waive(engine, request));
  PLANEX_ASSIGN(const std::optional<lint::LintReport> chosen,
                chosen_report(engine.model, engine.judgements, request));
  const lint::LintReport& report = chosen ? *chosen : engine.report;
  LintResult result{.error_count = report.error_count,
                    .warning_count = report.warning_count,
                    .info_count = report.info_count,
                    .waived_count = report.waived_count,
                    .baseline_count = report.baseline_count};
  count_measurement(report, request, result);
  PLANEX_ASSIGN(result.document, document(engine, report, request, view));
  if (request.write_baseline) {
    const std::string reason =
        request.reason.empty() ? "it was there when the baseline was written" : request.reason;
    PLANEX_TRY(base::write_file_atomically(*request.write_baseline,
                                           render::baseline_json(engine.model, report, reason)));
    result.written_count = report.findings.size() - report.waived_count;
  }
  return result;
}

Result<std::string> explain_rule(std::string_view id, const std::optional<std::string>& rules_file,
                                 const View& view) {
  std::optional<UserRulesFile> user;
  if (rules_file) {
    PLANEX_ASSIGN(user, read_user_rules(*rules_file));
  }
  PLANEX_TRY(check_rule(id, rule_ids(user ? &*user : nullptr)));
  PLANEX_TRY(check_rule_format(view.format, "--explain",
                               {Format::kText, Format::kJson, Format::kCsv}, "text, json and csv"));
  if (const lint::Rule* rule = lint::find_rule(id)) {
    return rules_text({{{&rule->info}}}, view, [&](const render::TableStyle& style) {
      return render::rule_text(rule->info, lint::example(id), style);
    });
  }
  const auto rule = std::ranges::find(user->rules, id, &lint::UserRule::id);
  const auto index = static_cast<std::size_t>(rule - user->rules.begin());
  const lint::RuleInfo info = rule->info();
  return rules_text({{{&info}}}, view, [&](const render::TableStyle& style) {
    return render::rule_text(info, {}, style) + render::rule_sql_text(user->records[index].sql);
  });
}

Result<std::string> describe_rules(const View& view) {
  PLANEX_TRY(check_rule_format(view.format, "--rules",
                               {Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown},
                               "text, markdown, json and csv"));
  render::LintRules rules;
  for (const lint::Rule* rule : lint::rules()) rules.rules.push_back({&rule->info});
  return rules_text(rules, view, [](const render::TableStyle&) { return lint::rules_reference(); });
}

}  // namespace planex::session
