#include "render/text/wrap.h"

#include <algorithm>

#include "render/text/display_width.h"

namespace planex::render {

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
  std::string result;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const std::size_t cells = visible_width(word);
    if (used > 0 && width > 0 && indent + used + 1 + cells > width) {
      result += '\n';
      used = 0;
    }
    if (used == 0) {
      result.append(indent, ' ');
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
