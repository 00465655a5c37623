// Inspects the text of a query before SQLite sees it: which names it mentions, and whether it would
// grow beyond bounds. Not a parser: it knows words, quotes, comments and brackets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::query {

enum class TokenKind : std::uint8_t { kWord, kQuoted, kOther };

struct Token {
  TokenKind kind = TokenKind::kOther;
  // Offset and length in the query, in bytes.
  std::size_t offset = 0;
  std::size_t length = 0;
  // Words and quoted names in lower case, without quotes; else the one character.
  std::string name;
};

// Never fails: an unclosed quote or comment ends with the text. Cost: O(length).
std::vector<Token> tokens_of(std::string_view sql);

// Limits. SQLite copies the body of a common table expression for every mention of it while it
// prepares a statement, when it can't be interrupted: thirty lines that each mention the one above
// twice would use up all memory. And it walks nested selects recursively. Errors: kUsage.
Result<void> check_complexity(const std::vector<Token>& tokens);

// The line of the query that contains `offset`, with a caret below it; control characters are
// blanked.
std::string point_at(std::string_view sql, std::size_t offset);

}  // namespace planex::query
