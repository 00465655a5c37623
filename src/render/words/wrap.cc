#include "render/words/wrap.h"

#include <algorithm>
#include <array>

#include "render/words/display_width.h"

namespace planex::render {
namespace {

bool is_unit(std::string_view word) {
  static constexpr auto kUnits = std::to_array<std::string_view>(
      {"%", "ms", "µs", "s", "B", "kB", "MB", "GB", "TB", "FLOP", "MFLOP", "GFLOP", "TFLOP"});
  while (!word.empty() && (word.back() == '.' || word.back() == ',' || word.back() == ';')) {
    word.remove_suffix(1);
  }
  return std::ranges::find(kUnits, word) != kUnits.end();
}

// The end of what has to stay on one line: a word, or a number with its unit.
std::size_t end_of_word(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find(' ', at), text.size());
  if (end == at || end == text.size() || text[end - 1] < '0' || text[end - 1] > '9') return end;
  const std::size_t next = std::min(text.find(' ', end + 1), text.size());
  return is_unit(text.substr(end + 1, next - end - 1)) ? next : end;
}

}  // namespace

std::size_t visible_width(std::string_view line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b') {
      while (i < line.size() && line[i] != 'm') ++i;
      continue;
    }
    plain += line[i];
  }
  return display_width(plain);
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  return wrapped_hanging(text, width, indent, 0);
}

std::string wrapped_hanging(std::string_view text, std::size_t width, std::size_t indent,
                            std::size_t hang) {
  std::string result;
  std::size_t start = indent - std::min(indent, hang);
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_word(text, at);
    const std::string_view word = text.substr(at, end - at);
    const std::size_t cells = visible_width(word);
    if (used > 0 && width > 0 && start + used + 1 + cells > width) {
      result += '\n';
      used = 0;
      start = indent;
    }
    if (used == 0) {
      result.append(start, ' ');
    } else {
      result += ' ';
      ++used;
    }
    result += word;
    used += cells;
    at = end + 1;
  }
  if (!result.empty()) result += '\n';
  return result;
}

}  // namespace planex::render
