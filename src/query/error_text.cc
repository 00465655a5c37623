#include "query/error_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/text.h"
#include "model/schema.h"

namespace planex::query {
namespace {

using model::ColumnInfo;
using model::TableInfo;

Error usage(std::string message, std::string hint = {}) {
  Error error;
  error.code = ErrorCode::kUsage;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return error;
}

// The rest of `message` after `prefix`, without quotes, or nothing.
std::optional<std::string_view> after(std::string_view message, std::string_view prefix) {
  if (!message.starts_with(prefix)) return std::nullopt;
  message.remove_prefix(prefix.size());
  // Newer versions add advice: `no such column: "x" - should this be a string literal ...`.
  if (const std::size_t advice = message.find(" - should this"); advice != message.npos) {
    message = message.substr(0, advice);
  }
  if (message.size() >= 2 && message.front() == '"' && message.back() == '"') {
    message = message.substr(1, message.size() - 2);
  }
  return message;
}

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const auto nearest = base::nearest(word, candidates);
  return nearest ? base::format("; did you mean \"{}\"?", *nearest) : std::string();
}

std::vector<std::string_view> columns_of(const TableInfo& table, bool has_engine_column) {
  std::vector<std::string_view> names;
  if (has_engine_column) names.push_back("engine");
  for (const ColumnInfo& column : table.columns) names.push_back(column.name);
  return names;
}

// Names that WITH gives to results, and aliases: everything that can be used like a table.
void add_own_names(const std::vector<Token>& tokens, std::vector<std::string_view>& names) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::kWord && tokens[i + 1].name == "as" &&
        tokens[i + 2].name == "(") {
      names.push_back(tokens[i].name);
    }
  }
}

Error unknown_column(std::string_view name, const std::vector<Token>& tokens,
                     bool has_engine_column) {
  std::vector<std::size_t> tables = tables_in(tokens);
  // `ports.x` can only refer to ports.
  const std::size_t dot = name.rfind('.');
  if (dot != name.npos) {
    const auto own = std::ranges::find(model::schema(), base::lower(name.substr(0, dot)),
                                       [](const TableInfo& table) { return table.name; });
    if (own != model::schema().end()) {
      tables = {static_cast<std::size_t>(own - model::schema().begin())};
    }
  }
  const std::string_view column = last_part(name);
  if (tables.empty()) {
    return usage(base::format("no column {}: the query has no FROM", base::quoted(column)),
                 base::format("Text literals need single quotes. Tables: {}.",
                              base::join_words(table_names())));
  }
  std::vector<std::string_view> columns;
  std::vector<std::string_view> table_words;
  std::string hint;
  for (const std::size_t table : tables) {
    const TableInfo& info = model::schema()[table];
    const auto names = columns_of(info, has_engine_column);
    columns.insert(columns.end(), names.begin(), names.end());
    table_words.push_back(info.name);
    if (!hint.empty()) hint += '\n';
    hint += base::format("Columns of {}: {}.", info.name, base::join_words(names));
  }
  std::string message =
      base::format("no column {} in {}", base::quoted(column), base::join_words(table_words));
  // It may be a column of another table.
  for (const TableInfo& info : model::schema()) {
    const auto names = columns_of(info, false);
    const bool is_there = std::ranges::find(names, column) != names.end();
    if (is_there && std::ranges::find(columns, column) == columns.end()) {
      message += base::format("; {} has one", info.name);
      return usage(std::move(message), std::move(hint));
    }
  }
  return usage(message + did_you_mean(column, columns), std::move(hint));
}

Error unknown_function(std::string_view name) {
  // Those that people look for; SQLite has more.
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"abs",     "avg",       "coalesce",         "count",      "group_concat", "ifnull", "iif",
       "instr",   "json_each", "json_extract",     "length",     "like",         "lower",  "max",
       "median",  "min",       "nullif",           "percentile", "printf",       "rank",   "regexp",
       "replace", "round",     "row_number",       "substr",     "sum",          "total",  "trim",
       "typeof",  "upper",     "json_array_length"});
  std::string message = base::format("no function {}", base::quoted(name));
  const std::string lower = base::lower(name);
  if (lower == "mean" || lower == "average") return usage(message + "; did you mean \"avg\"?");
  return usage(message + did_you_mean(name, kNames),
               "Aggregates: avg, count, group_concat, max, median(x), min, percentile(x, p), sum, "
               "total; and all other functions of SQLite.");
}

Error syntax_error(std::string_view word) {
  std::string hint;
  for (const TableInfo& table : model::schema()) {
    const bool is_column = std::ranges::any_of(
        table.columns, [&](const ColumnInfo& column) { return column.name == base::lower(word); });
    if (!is_column) continue;
    hint = base::format(
        "If you mean the column: {} is an SQL keyword, so write \"{}\" in double quotes.", word,
        base::lower(word));
    break;
  }
  return usage(base::format("syntax error in the query at {}", base::quoted(word)),
               std::move(hint));
}

}  // namespace

std::vector<std::size_t> tables_in(const std::vector<Token>& tokens) {
  std::vector<std::size_t> tables;
  for (std::size_t table = 0; table < model::schema().size(); ++table) {
    const std::string_view name = model::schema()[table].name;
    const bool is_there = std::ranges::any_of(tokens, [&](const Token& token) {
      if (token.kind == TokenKind::kOther) return false;
      return token.name == name || (name == "layers" && token.name == kWorkLayers);
    });
    if (is_there) tables.push_back(table);
  }
  return tables;
}

std::vector<std::string_view> table_names() {
  std::vector<std::string_view> names;
  for (const TableInfo& table : model::schema()) names.push_back(table.name);
  names.push_back(kWorkLayers);
  return names;
}

Error unknown_table(std::string_view name, const std::vector<Token>& tokens) {
  const std::vector<std::string_view> known = table_names();
  std::vector<std::string_view> candidates = known;
  add_own_names(tokens, candidates);
  return usage(
      base::format("no table {}{}", base::quoted(name), did_you_mean(last_part(name), candidates)),
      base::format("Tables: {}.", base::join_words(known)));
}

Error explain_error(std::string_view sqlite_message, std::string_view sql,
                    const std::vector<Token>& tokens, int offset, bool has_engine_column) {
  Error error;
  if (const auto column = after(sqlite_message, "no such column: ")) {
    error = unknown_column(*column, tokens, has_engine_column);
  } else if (const auto table = after(sqlite_message, "no such table: ")) {
    error = unknown_table(*table, tokens);
  } else if (const auto function = after(sqlite_message, "no such function: ")) {
    error = unknown_function(*function);
  } else if (const auto ambiguous = after(sqlite_message, "ambiguous column name: ")) {
    error = usage(
        base::format("several tables of the query have a column {}", base::quoted(*ambiguous)),
        "Qualify it: layers.name.");
  } else if (sqlite_message.starts_with("near \"") &&
             sqlite_message.ends_with("\": syntax error")) {
    constexpr std::size_t kPrefix = 6;
    constexpr std::size_t kSuffix = 15;
    error = syntax_error(sqlite_message.substr(kPrefix, sqlite_message.size() - kPrefix - kSuffix));
  } else if (sqlite_message == "incomplete input") {
    error = usage("the query ends too early");
    offset = static_cast<int>(sql.size());
  } else if (sqlite_message == "parser stack overflow") {
    error = usage("the query is nested too deeply");
  } else {
    // It can quote the query, including control characters.
    constexpr std::size_t kLongest = 400;
    const std::string safe = base::quoted(sqlite_message, kLongest);
    error = usage(base::format("the query failed: {}", safe.substr(1, safe.size() - 2)));
  }
  if (offset >= 0) error.context = point_at(sql, static_cast<std::size_t>(offset));
  return error;
}

}  // namespace planex::query
