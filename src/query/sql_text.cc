#include "query/sql_text.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"
#include "query/query.h"

namespace planex::query {
namespace {

// Enough for generated queries; SQLite's own limit on the terms of a compound select is the same.
constexpr std::size_t kMaxSelects = 500;
// Number of selects after expanding all common table expressions. 20 000 take SQLite 3.40 some 50
// ms and 30 MB to prepare.
constexpr std::size_t kMaxExpandedSelects = 20'000;

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

// The end of a quoted text that starts at `start`; a doubled quote represents itself.
std::size_t end_of_quoted(std::string_view sql, std::size_t start, char quote) {
  for (std::size_t at = start + 1; at < sql.size(); ++at) {
    if (sql[at] != quote) continue;
    if (quote != ']' && at + 1 < sql.size() && sql[at + 1] == quote) {
      ++at;
      continue;
    }
    return at + 1;
  }
  return sql.size();
}

std::size_t end_of_word(std::string_view sql, std::size_t start) {
  std::size_t end = start;
  while (end < sql.size() && is_word_char(sql[end])) ++end;
  return end;
}

// The end of white space or a comment at `start`, or `start`.
std::size_t end_of_gap(std::string_view sql, std::size_t start) {
  const std::string_view rest = sql.substr(start);
  if (rest.starts_with("--")) {
    const std::size_t end = sql.find('\n', start);
    return end == std::string_view::npos ? sql.size() : end + 1;
  }
  if (rest.starts_with("/*")) {
    const std::size_t end = sql.find("*/", start + 2);
    return end == std::string_view::npos ? sql.size() : end + 2;
  }
  constexpr std::string_view kBlank = " \t\r\n\f";
  return kBlank.find(rest.front()) == std::string_view::npos ? start : start + 1;
}

// `name [(columns)] AS [[NOT] MATERIALIZED] ( body )`.
struct TableExpression {
  std::size_t name = 0;         // token
  std::size_t body_first = 0;   // token after the opening bracket
  std::size_t body_end = 0;     // the closing bracket, or the end
  std::size_t scope_first = 0;  // the brackets around the definition: where its name is visible
  std::size_t scope_end = 0;
  std::vector<std::size_t> mentions;  // table expressions named directly in the body
  std::size_t weight = 1;             // selects after expansion
};

class Expansion {
 public:
  explicit Expansion(const std::vector<Token>& tokens) : tokens_(tokens) {
    match_brackets();
    for (std::size_t i = 0; i < tokens_.size(); ++i) find_definition(i);
    if (definitions_.size() > kMaxSelects)
      return;  // Too many in any case; do not spend time on
               // them.
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is_table_position(i)) add_mention(i);
    }
  }

  std::size_t definition_count() const { return definitions_.size(); }

  // Selects of the whole query after expansion, or the limit where there are more.
  std::size_t weight() {
    // SQLite accepts no cycle of definitions, so this settles after at most as many rounds as there
    // are definitions; weights only grow and stop at the limit.
    for (std::size_t round = 0; round <= definitions_.size(); ++round) {
      bool changed = false;
      for (TableExpression& definition : definitions_) {
        const std::size_t weight = sum_of(definition.mentions);
        changed = changed || weight != definition.weight;
        definition.weight = weight;
      }
      if (!changed) break;
    }
    return sum_of(outer_mentions_);
  }

 private:
  bool is(std::size_t i, std::string_view word) const {
    return i < tokens_.size() && tokens_[i].kind != TokenKind::kQuoted && tokens_[i].name == word;
  }
  bool is_name(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind != TokenKind::kOther;
  }

  void match_brackets() {
    closing_.assign(tokens_.size(), kNone);
    opening_.assign(tokens_.size(), kNone);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, ")") && !open.empty()) {
        closing_[open.back()] = i;
        open.pop_back();
      }
      opening_[i] = open.empty() ? kNone : open.back();
      if (is(i, "(")) open.push_back(i);
    }
  }

  std::size_t closing_of(std::size_t bracket) const {
    return std::min(closing_[bracket], tokens_.size());
  }

  void find_definition(std::size_t name) {
    if (!is_name(name)) return;
    std::size_t i = name + 1;
    if (is(i, "(")) i = closing_of(i) + 1;
    if (!is(i, "as")) return;
    ++i;
    if (is(i, "not")) ++i;
    if (is(i, "materialized")) ++i;
    if (!is(i, "(")) return;
    TableExpression definition;
    definition.name = name;
    definition.body_first = i + 1;
    definition.body_end = closing_of(i);
    const std::size_t around = opening_[name];
    definition.scope_first = around == kNone ? 0 : around;
    definition.scope_end = around == kNone ? tokens_.size() : closing_of(around);
    definitions_.push_back(std::move(definition));
  }

  // Where the name of a table can occur. Also true for some columns, which is harmless unless a
  // table expression has the same name.
  bool is_table_position(std::size_t i) const {
    if (i == 0 || !is_name(i) || is(i + 1, ".") || is(i + 1, "(")) return false;
    for (const std::string_view word : {"from", "join", ",", "(", "in"}) {
      if (is(i - 1, word)) return true;
    }
    return false;
  }

  void add_mention(std::size_t token) {
    std::size_t target = kNone;
    std::size_t inside = kNone;
    for (std::size_t d = 0; d < definitions_.size(); ++d) {
      const TableExpression& definition = definitions_[d];
      if (definition.name == token) return;
      // The innermost definition of this name that is visible here.
      if (definition.scope_first <= token && token < definition.scope_end &&
          tokens_[definition.name].name == tokens_[token].name &&
          (target == kNone || definition.scope_first >= definitions_[target].scope_first)) {
        target = d;
      }
      if (definition.body_first <= token && token < definition.body_end &&
          (inside == kNone || definition.body_first >= definitions_[inside].body_first)) {
        inside = d;
      }
    }
    if (target == kNone || target == inside) return;  // a real table, or a recursive step
    (inside == kNone ? outer_mentions_ : definitions_[inside].mentions).push_back(target);
  }

  std::size_t sum_of(const std::vector<std::size_t>& mentions) const {
    std::size_t sum = 1;
    for (const std::size_t mention : mentions) {
      sum = std::min(sum + definitions_[mention].weight, kMaxExpandedSelects + 1);
    }
    return sum;
  }

  const std::vector<Token>& tokens_;
  std::vector<std::size_t> closing_;  // of an opening bracket
  std::vector<std::size_t> opening_;  // of the innermost bracket around a token
  std::vector<TableExpression> definitions_;
  std::vector<std::size_t> outer_mentions_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view sql) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < sql.size()) {
    if (const std::size_t end = end_of_gap(sql, at); end > at) {
      at = end;
      continue;
    }
    Token token;
    token.offset = at;
    const char first = sql[at];
    if (first == '\'' || first == '"' || first == '`' || first == '[') {
      const std::size_t end = end_of_quoted(sql, at, first == '[' ? ']' : first);
      token.kind = TokenKind::kQuoted;
      token.length = end - at;
      token.name = base::lower(sql.substr(at + 1, token.length < 2 ? 0 : token.length - 2));
    } else if (is_word_char(first)) {
      token.kind = TokenKind::kWord;
      token.length = end_of_word(sql, at) - at;
      token.name = base::lower(sql.substr(at, token.length));
    } else {
      token.length = 1;
      token.name = std::string(1, first);
    }
    at += token.length;
    tokens.push_back(std::move(token));
  }
  return tokens;
}

bool names_table(std::string_view sql, std::string_view table) {
  const std::string name = base::lower(table);
  return std::ranges::any_of(tokens_of(sql),
                             [&](const Token& token) { return token.name == name; });
}

Result<void> check_complexity(const std::vector<Token>& tokens) {
  const auto selects = std::ranges::count_if(tokens, [](const Token& token) {
    return token.kind == TokenKind::kWord && (token.name == "select" || token.name == "values");
  });
  if (static_cast<std::size_t>(selects) > kMaxSelects) {
    return fail(ErrorCode::kUsage,
                base::format("the query is too large: it has {} SELECTs; the maximum is {}",
                             selects, kMaxSelects));
  }
  Expansion expansion(tokens);
  if (expansion.definition_count() > kMaxSelects || expansion.weight() > kMaxExpandedSelects) {
    return fail(ErrorCode::kUsage,
                base::format("the query is too large: with its common table expressions expanded "
                             "it has more than {} SELECTs",
                             kMaxExpandedSelects),
                "Refer to each WITH table fewer times.");
  }
  return {};
}

std::string point_at(std::string_view sql, std::size_t offset) {
  // A screen's worth around the place.
  constexpr std::size_t kBefore = 60;
  constexpr std::size_t kAfter = 30;
  offset = std::min(offset, sql.size());
  const std::size_t line_break = offset == 0 ? std::string_view::npos : sql.rfind('\n', offset - 1);
  std::size_t first = line_break == std::string_view::npos ? 0 : line_break + 1;
  std::size_t end = std::min(sql.find('\n', offset), sql.size());
  const bool cut_front = offset - first > kBefore;
  if (cut_front) first = offset - kBefore;
  const bool cut_back = end - offset > kAfter;
  if (cut_back) end = offset + kAfter;
  while (first < end && base::is_inside_character(sql, first)) ++first;
  while (first < end && base::is_inside_character(sql, end)) --end;

  std::string line = cut_front ? "  …" : "  ";
  std::string caret = cut_front ? "   " : "  ";
  for (std::size_t at = first; at < end; ++at) {
    const auto c = static_cast<unsigned char>(sql[at]);
    line += c < 0x20 || c == 0x7F ? ' ' : sql[at];
    if (at < offset && !base::is_inside_character(sql, at)) caret += ' ';
  }
  if (cut_back) line += "…";
  const auto characters = [&] {
    std::size_t count = 1;
    for (std::size_t at = 0; at < offset; ++at)
      count += base::is_inside_character(sql, at) ? 0U : 1U;
    return count;
  }();
  return base::format("at character {}:\n{}\n{}^", characters, line, caret);
}

}  // namespace planex::query
