#include "render/cpp/cpp_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "base/text.h"

namespace planex::render {

std::string cpp_comment(std::string_view indent, std::string_view description,
                        std::string_view unit) {
  constexpr std::size_t kColumns = 100;
  std::string all(description);
  if (!unit.empty()) all += base::format("{}Unit: {}.", all.empty() ? "" : " ", unit);
  std::string text, line;
  const auto end_line = [&] {
    if (!line.empty()) text += line + "\n";
    line.clear();
  };
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find(' ', at), all.size());
    const std::string_view word = std::string_view(all).substr(at, end - at);
    at = end + 1;
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) end_line();
    if (line.empty()) line = base::format("{}//", indent);
    line += base::format(" {}", word);
  }
  end_line();
  return text;
}

std::string cpp_name(std::string_view name) {
  // Keywords that fields are likely to be named; the consumer's build finds any that is missing.
  constexpr std::array<std::string_view, 14> kWords = {
      "auto",  "bool", "char", "class",  "const",    "default", "double",
      "float", "int",  "long", "return", "template", "this",    "union"};
  const bool is_word = std::ranges::find(kWords, name) != kWords.end();
  return is_word ? base::format("{}_", name) : std::string(name);
}

std::string cpp_class_name(std::string_view name) {
  std::string text;
  bool is_start = true;
  for (const char letter : name) {
    if (letter != '_') {
      text +=
          is_start ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    }
    is_start = letter == '_';
  }
  return text;
}

}  // namespace planex::render
