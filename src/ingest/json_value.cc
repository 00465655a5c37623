#include "ingest/json_value.h"

#include <algorithm>

#include "base/text.h"

namespace planex::ingest {

bool is_not_a_number(std::string_view token) {
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) token.remove_prefix(1);
  constexpr std::size_t kLongest = 8;  // infinity, nan(ind)
  if (token.empty() || token.size() > kLongest) return false;
  const std::string word = base::lower(token);
  return word == "nan" || word == "inf" || word == "infinity" || word == "nan(ind)";
}

model::ValueType json_type_of(std::string_view json) {
  switch (json.empty() ? 'n' : json.front()) {
    case '[':
      return model::ValueType::kArray;
    case '{':
      return model::ValueType::kObject;
    case '"':
      return model::ValueType::kString;
    case 'n':
      return model::ValueType::kJsonNull;
    case 't':
    case 'f':
      return model::ValueType::kBoolean;
    default:
      return model::ValueType::kNumber;
  }
}

std::optional<std::string> with_null_for_not_a_number(std::string_view text) {
  std::string result;
  bool found = false;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t first = at;
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1u : 0u;
      at = std::min(at + 1, text.size());
      result += text.substr(first, at - first);
      continue;
    }
    constexpr std::string_view kBetween = " \t\r\n,:[]{}\"";
    while (at < text.size() && kBetween.find(text[at]) == kBetween.npos) ++at;
    if (at == first) {
      result += text[at++];
      continue;
    }
    const std::string_view token = text.substr(first, at - first);
    const bool replaced = is_not_a_number(token);
    found = found || replaced;
    result += replaced ? "null" : token;
  }
  if (!found || !check_json_value(result)) return std::nullopt;
  return result;
}

}  // namespace planex::ingest
