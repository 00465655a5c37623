#include "base/json_text.h"

#include <bitset>
#include <cctype>
#include <cmath>
#include <cstddef>

#include "base/numbers.h"
#include "base/text.h"

namespace planex::base {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// "[3, 3]" and similar, like most values of layer files: a list of integers without leading zeros.
// False for anything else, JSON or not.
bool is_list_of_integers(std::string_view text) {
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return false;
  std::size_t at = 1;
  const std::size_t end = text.size() - 1;
  while (true) {
    while (at < end && is_blank(text[at])) ++at;
    if (at < end && text[at] == '-') ++at;
    const std::size_t first = at;
    while (at < end && is_digit(text[at])) ++at;
    if (at == first || (text[first] == '0' && at - first > 1)) return false;
    while (at < end && is_blank(text[at])) ++at;
    if (at == end) return true;
    if (text[at++] != ',') return false;
  }
}

// Reads one JSON value from front to back. A stack with one bit per level (object or array)
// replaces recursion.
class ValueChecker {
 public:
  explicit ValueChecker(std::string_view text) : text_(text) {}

  bool check() {
    do {
      if (!value()) return false;
      // After a value: the rest of the containers it closes, then a comma and the next value.
      while (true) {
        blanks();
        if (depth_ == 0) return at_ == text_.size();
        if (take(in_object_[top()] ? '}' : ']')) {
          --depth_;
          continue;
        }
        if (!take(',')) return false;
        if (in_object_[top()] && !key()) return false;
        break;
      }
    } while (true);
  }

 private:
  std::size_t top() const { return static_cast<std::size_t>(depth_ - 1); }

  // One scalar, or the opening of containers down to their first scalar or to an empty one.
  bool value() {
    while (true) {
      blanks();
      if (at_ == text_.size()) return false;
      const char c = text_[at_];
      if (c == '{' || c == '[') {
        if (depth_ == kMaxJsonDepth) return false;
        ++at_;
        in_object_[static_cast<std::size_t>(depth_++)] = c == '{';
        blanks();
        if (take(c == '{' ? '}' : ']')) {
          --depth_;
          return true;
        }
        if (c == '{' && !key()) return false;
        continue;
      }
      if (c == '"') return string();
      const std::size_t first = at_;
      while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != ',' &&
             text_[at_] != ']' && text_[at_] != '}') {
        ++at_;
      }
      const std::string_view token = text_.substr(first, at_ - first);
      return token == "true" || token == "false" || token == "null" || is_json_number(token);
    }
  }

  bool key() {
    blanks();
    if (at_ == text_.size() || text_[at_] != '"' || !string()) return false;
    blanks();
    return take(':');
  }

  bool string() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return true;
      }
      if (text_[at_] != '\\') continue;
      if (++at_ == text_.size()) return false;
      if (text_[at_] == 'u') {
        for (int digit = 0; digit < 4; ++digit) {
          if (++at_ == text_.size() || !std::isxdigit(static_cast<unsigned char>(text_[at_]))) {
            return false;
          }
        }
      } else if (std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos) {
        return false;
      }
    }
    return false;
  }

  void blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::bitset<kMaxJsonDepth> in_object_;
};

}  // namespace

bool is_json_number(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > first;
  };
  if (at < text.size() && text[at] == '-') ++at;
  const bool leading_zero = at < text.size() && text[at] == '0';
  const std::size_t integer_at = at;
  if (!digits()) return false;
  if (leading_zero && at - integer_at > 1) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits()) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return false;
  }
  return at == text.size();
}

bool is_json_value(std::string_view text) {
  return is_list_of_integers(text) || ValueChecker(text).check();
}

std::optional<std::int64_t> integer_in(std::string_view token) {
  if (const auto whole = number_in<std::int64_t>(token)) return whole;
  if (!is_json_number(token)) return std::nullopt;
  constexpr double kExact = 9'007'199'254'740'992.0;  // 2^53
  const auto real = number_in<double>(token);
  if (!real || std::abs(*real) > kExact || std::trunc(*real) != *real) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

}  // namespace planex::base
