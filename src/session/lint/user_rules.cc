#include "session/lint/user_rules.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "base/utf8.h"
#include "query/query.h"

namespace planex::session {
namespace {

using base::format;

constexpr std::string_view kLayer = "layer_id";
constexpr std::string_view kEstimate = "estimated_ms";

Failure wrong(const std::string& file, std::size_t rule, std::string_view key, std::string message,
              std::string hint = {}) {
  return fail({.code = ErrorCode::kBadInput,
               .message = std::move(message),
               .file = file,
               .json_pointer = format("/rules/{}/{}", rule, key),
               .hint = std::move(hint)});
}

bool is_rule_id(std::string_view id) {
  constexpr std::size_t kMaxBytes = 64;
  return !id.empty() && id.size() <= kMaxBytes && id.front() != '-' && id.back() != '-' &&
         std::ranges::all_of(id, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

std::optional<lint::Severity> severity_of(std::string_view word) {
  for (const auto severity :
       {lint::Severity::kError, lint::Severity::kWarning, lint::Severity::kInfo}) {
    if (model::to_string(severity) == word) return severity;
  }
  return std::nullopt;
}

// Our own texts have no full stop at the end, as they are used within sentences.
std::string phrase(std::string_view text) {
  text = base::trimmed(text);
  if (text.ends_with('.') && !text.ends_with("..")) text.remove_suffix(1);
  return std::string(text);
}

// A piece of a message: a literal text, or a column.
struct Piece {
  std::string text;
  bool is_column = false;
};

// "{name} reads {{}}" -> name, " reads {}".
Result<std::vector<Piece>> pieces_of(std::string_view message, const std::string& file,
                                     std::size_t rule) {
  std::vector<Piece> pieces(1);
  for (std::size_t at = 0; at < message.size(); ++at) {
    const char c = message[at];
    if (c != '{' && c != '}') {
      pieces.back().text += c;
      continue;
    }
    if (message.substr(at + 1).starts_with(c)) {
      pieces.back().text += c;
      ++at;
      continue;
    }
    const std::size_t end = message.find('}', at);
    if (c == '}' || end == message.npos) {
      return wrong(file, rule, "message",
                   format("the message has an unmatched {}: {}", c, base::quoted(message)),
                   "write {column} for a column, and {{ and }} for the braces themselves");
    }
    pieces.push_back({std::string(base::trimmed(message.substr(at + 1, end - at - 1))), true});
    pieces.emplace_back();
    at = end;
  }
  return pieces;
}

std::string cut(const std::string& text) {
  constexpr std::size_t kMaxBytes = 300;
  if (text.size() <= kMaxBytes) return text;
  std::size_t end = kMaxBytes;
  while (end > 0 && base::is_inside_character(text, end)) --end;
  return text.substr(0, end) + "…";
}

std::string value_text(const model::Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return format("{}", *integer);
  if (const auto* number = std::get_if<double>(&value)) return format("{:.6g}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return cut(*text);
  return "not known";
}

// One rule against one engine.
class RuleRun {
 public:
  RuleRun(const UserRulesFile& file, std::size_t rule, const model::PlanModel& model)
      : file_(file), rule_(rule), record_(file.records[rule]), model_(model) {}

  Result<std::vector<lint::FindingDraft>> run(query::Database& database, double max_seconds) {
    PLANEX_ASSIGN(const model::DataTable table, ask(database, max_seconds));
    PLANEX_ASSIGN(pieces_, pieces_of(record_.message, file_.path, rule_));
    PLANEX_TRY(find_columns(table));
    std::vector<lint::FindingDraft> drafts;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      PLANEX_ASSIGN(lint::FindingDraft draft, draft_of(table, row));
      drafts.push_back(std::move(draft));
    }
    return drafts;
  }

 private:
  Result<model::DataTable> ask(query::Database& database, double max_seconds) const {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const query::RunOptions options{
        .max_rows = kMaxUserFindings + 1,
        .max_memory_bytes = std::uint64_t{1} << 30,
        .cancelled = [&] {
          return std::chrono::duration<double>(Clock::now() - start).count() > max_seconds;
        }};
    auto table = database.run(record_.sql, options);
    if (!table) {
      Error error = std::move(table).error();
      if (error.code == ErrorCode::kCancelled) {
        return wrong(file_.path, rule_, "sql",
                     format("the rule {} takes longer than {} s", record_.id, max_seconds),
                     "raise the limit with --rule-seconds");
      }
      if (error.code == ErrorCode::kUsage) error.code = ErrorCode::kBadInput;
      error.message = format("in the SQL of the rule {}: {}", record_.id, error.message);
      error.file = file_.path;
      error.json_pointer = format("/rules/{}/sql", rule_);
      return fail(std::move(error));
    }
    if (table->rows.size() > kMaxUserFindings) {
      return wrong(file_.path, rule_, "sql",
                   format("the rule {} returns more than {} rows", record_.id, kMaxUserFindings),
                   "each row is a finding: add a WHERE or a LIMIT");
    }
    return table;
  }

  Result<void> find_columns(const model::DataTable& table) {
    std::vector<std::string_view> names;
    for (const model::DataColumn& column : table.columns) names.emplace_back(column.name);
    const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(names, name);
      if (found == names.end()) return std::nullopt;
      return static_cast<std::size_t>(found - names.begin());
    };
    const auto layer = find(kLayer);
    if (!layer) {
      return wrong(
          file_.path, rule_, "sql",
          format("the SQL of the rule {} returns no column layer_id", record_.id),
          format("it returns {}; a finding about the whole engine selects null as layer_id",
                 base::join_words(names)));
    }
    layer_column_ = *layer;
    estimate_column_ = find(kEstimate);
    for (const Piece& piece : pieces_) {
      if (!piece.is_column) continue;
      const auto column = find(piece.text);
      if (!column) {
        const auto near = base::nearest(piece.text, names);
        return wrong(
            file_.path, rule_, "message",
            format("the message names a column {} that the SQL does not return{}",
                   base::quoted(piece.text), near ? format("; did you mean \"{}\"?", *near) : ""),
            format("it returns {}", base::join_words(names)));
      }
      message_columns_.push_back(*column);
    }
    return {};
  }

  Result<lint::FindingDraft> draft_of(const model::DataTable& table, std::size_t row) const {
    const std::vector<model::Value>& values = table.rows[row];
    lint::FindingDraft draft;
    draft.severity = file_.rules[rule_].severity;
    draft.fix = file_.rules[rule_].fix;
    const model::Value& layer = values[layer_column_];
    const auto* id = std::get_if<std::int64_t>(&layer);
    if (id != nullptr && *id >= 0 && std::cmp_less(*id, model_.layers.row_count())) {
      draft.layer = model::LayerId(static_cast<std::size_t>(*id));
    } else if (!std::holds_alternative<std::monostate>(layer)) {
      return wrong(file_.path, rule_, "sql",
                   format("the rule {} returns {} as layer_id in row {}, which is not a layer",
                          record_.id, base::quoted(value_text(layer)), row + 1));
    }
    PLANEX_TRY(estimate(values, row, draft));
    std::size_t column = 0;
    for (const Piece& piece : pieces_) {
      draft.message +=
          piece.is_column ? value_text(values[message_columns_[column++]]) : piece.text;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i == layer_column_ || i == estimate_column_) continue;
      draft.evidence += format("{}{} = {}", draft.evidence.empty() ? "" : ", ",
                               table.columns[i].name, value_text(values[i]));
    }
    return draft;
  }

  Result<void> estimate(const std::vector<model::Value>& values, std::size_t row,
                        lint::FindingDraft& draft) const {
    draft.estimate_method = "not known: the rule returns no estimated_ms";
    if (!estimate_column_) return {};
    const model::Value& value = values[*estimate_column_];
    std::optional<double> ms;
    if (const auto* number = std::get_if<double>(&value)) ms = *number;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      ms = static_cast<double>(*integer);
    }
    const bool is_null = std::holds_alternative<std::monostate>(value);
    if (!is_null && (!ms || !std::isfinite(*ms) || *ms < 0)) {
      return wrong(file_.path, rule_, "sql",
                   format("the rule {} returns {} as estimated_ms in row {}, which is not a time",
                          record_.id, base::quoted(value_text(value)), row + 1));
    }
    // No gain and an unknown gain look the same to someone who decides what to do first.
    if (ms && *ms > 0) {
      draft.stated_ms = ms;
      draft.estimate_method = "estimated_ms as the rule's SQL computes it";
    }
    return {};
  }

  const UserRulesFile& file_;
  std::size_t rule_;
  const ingest::RuleRecord& record_;
  const model::PlanModel& model_;
  std::vector<Piece> pieces_;
  std::size_t layer_column_ = 0;
  std::optional<std::size_t> estimate_column_;
  std::vector<std::size_t> message_columns_;  // by column in the message
};

}  // namespace

Result<UserRulesFile> read_user_rules(const std::string& path) {
  PLANEX_ASSIGN(auto bytes, base::disk().read(path));
  return check_user_rules({.path = path, .bytes = std::move(bytes)});
}

Result<UserRulesFile> check_user_rules(const ingest::Artefact& artefact) {
  const std::string& path = artefact.path;
  UserRulesFile file{.path = path};
  PLANEX_ASSIGN(file.records, ingest::read_rules(artefact));
  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < file.records.size(); ++i) {
    const ingest::RuleRecord& record = file.records[i];
    if (!is_rule_id(record.id)) {
      return wrong(path, i, "id",
                   format("{} is not a valid rule id: lower-case letters, digits and hyphens",
                          base::quoted(record.id)));
    }
    if (lint::find_rule(record.id) != nullptr) {
      return wrong(path, i, "id",
                   format("planex has a rule {} of its own; choose another id", record.id));
    }
    if (!ids.insert(record.id).second) {
      return wrong(path, i, "id", format("two rules are called {}", record.id));
    }
    const auto pack = record.pack.empty() ? lint::Pack::kGeneric : lint::parse_pack(record.pack);
    if (!pack) {
      return wrong(path, i, "pack", format("there is no pack {}", base::quoted(record.pack)),
                   "generic, tensorrt, tensorrt-rtx, openvino or onnxruntime");
    }
    const auto severity = severity_of(record.severity);
    if (!severity) {
      return wrong(path, i, "severity",
                   format("there is no severity {}", base::quoted(record.severity)),
                   "error, warning or info");
    }
    PLANEX_TRY(pieces_of(record.message, path, i));
    file.rules.push_back({.id = record.id,
                          .pack = *pack,
                          .severity = *severity,
                          .summary = phrase(record.summary),
                          .rationale = phrase(record.rationale),
                          .fix = phrase(record.fix),
                          .source = record.source.empty() ? path : phrase(record.source)});
  }
  return file;
}

Result<std::shared_ptr<const lint::UserRules>> run_user_rules(UserRulesFile file,
                                                              const model::PlanModel& model,
                                                              const lint::Selection& selection,
                                                              double max_seconds) {
  const query::NamedModel named{.name = "engine", .model = &model};
  PLANEX_ASSIGN(query::Database database, query::Database::open({&named, 1}));
  const std::string_view producer = model.text(model.engine.producer[0]);
  for (std::size_t i = 0; i < file.rules.size(); ++i) {
    lint::UserRule& rule = file.rules[i];
    if (!lint::not_selected(rule.info(), selection).empty()) continue;
    if (!lint::applies(rule.pack, producer)) continue;
    PLANEX_ASSIGN(rule.drafts, RuleRun(file, i, model).run(database, max_seconds));
  }
  return std::make_shared<const lint::UserRules>(std::move(file.rules));
}

}  // namespace planex::session
