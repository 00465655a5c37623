#include "analyze/work/operation_parameters.h"

#include <algorithm>

#include "analyze/work/work.h"
#include "base/json_text.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

// Walks over JSON text. Every step returns nothing at the end of the text, so that malformed text
// ends a walk instead of misleading it.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  bool take(char expected) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // A quoted text, with its quotes.
  std::optional<std::string_view> take_text() {
    skip_blanks();
    if (rest_.empty() || rest_.front() != '"') return std::nullopt;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '\\') {
        ++i;
      } else if (rest_[i] == '"') {
        return cut(i + 1);
      }
    }
    return std::nullopt;
  }

  // Any value, up to the comma or brace after it.
  std::optional<std::string_view> take_value() {
    skip_blanks();
    const std::string_view start = rest_;
    std::size_t depth = 0;
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '"') {
        if (!take_text()) return std::nullopt;
        continue;
      }
      if (c == '[' || c == '{') ++depth;
      if ((c == ']' || c == '}' || c == ',') && depth == 0) {
        return base::trimmed(start.substr(0, start.size() - rest_.size()));
      }
      if (c == ']' || c == '}') --depth;
      rest_.remove_prefix(1);
    }
    return std::nullopt;
  }

 private:
  std::string_view cut(std::size_t size) {
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

  std::string_view rest_;
};

bool is_text(std::string_view value) {
  return value.size() >= 2 && value.front() == '"' && value.back() == '"';
}

}  // namespace

std::optional<std::string_view> OperationParameters::value(std::string_view key) const {
  Scanner scanner(json_);
  if (!scanner.take('{')) return std::nullopt;
  while (true) {
    const auto name = scanner.take_text();
    if (!name || !scanner.take(':')) return std::nullopt;
    const auto value = scanner.take_value();
    if (!value) return std::nullopt;
    if (name->substr(1, name->size() - 2) == key) return value;
    if (!scanner.take(',')) return std::nullopt;
  }
}

std::optional<std::int64_t> OperationParameters::integer(std::string_view key) const {
  const auto written = value(key);
  return written ? base::integer_in(*written) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> OperationParameters::integers(std::string_view key) const {
  const auto written = value(key);
  return written ? parse_int_list(*written) : std::nullopt;
}

std::optional<std::string_view> OperationParameters::text(std::string_view key) const {
  const auto written = value(key);
  if (!written || !is_text(*written) || written->find('\\') != std::string_view::npos) {
    return std::nullopt;
  }
  return written->substr(1, written->size() - 2);
}

}  // namespace planex::analyze
