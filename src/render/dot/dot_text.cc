#include "render/dot/dot_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "render/words/characters.h"

namespace planex::render {
namespace {

// Graphviz's scanner gives up on strings of 16 384 bytes.
constexpr std::size_t kMaxLabelBytes = 16'000;
constexpr std::string_view kCutSign = "…";

// "&lt;" is a character for graphviz, "a & b" is not.
bool starts_entity(std::string_view text) {
  constexpr std::size_t kLongestEntity = 12;
  const std::size_t end = text.substr(0, kLongestEntity).find(';');
  return end != std::string_view::npos && end > 1 &&
         std::ranges::all_of(text.substr(1, end - 1), [](char c) {
           return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '#';
         });
}

// One character of `text` as it appears in quotes.
std::string_view escaped(std::string_view text, std::size_t length) {
  switch (text.front()) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '&':
      return starts_entity(text) ? "&amp;" : "&";
    default:
      return text.substr(0, length);
  }
}

}  // namespace

DotText& DotText::line(std::string_view text) {
  constexpr std::string_view kBreak = "\\n";
  if (text_.size() + kBreak.size() + kCutSign.size() >= kMaxLabelBytes) return *this;
  if (!text_.empty()) text_ += kBreak;
  // What is not read need not be made visible.
  const std::string shown = visible(text.substr(0, kMaxLabelBytes));
  for (std::string_view rest = shown; !rest.empty();) {
    const std::size_t length = base::first_code_point(rest).length;
    const std::string_view piece = escaped(rest, length);
    if (text_.size() + piece.size() + kCutSign.size() > kMaxLabelBytes) {
      text_ += kCutSign;
      break;
    }
    text_ += piece;
    rest.remove_prefix(length);
  }
  return *this;
}

DotText& DotText::fact(std::string_view key, std::string_view value) {
  if (value.empty()) return *this;
  return line(std::string(key.substr(0, kMaxLabelBytes))
                  .append(": ")
                  .append(value.substr(0, kMaxLabelBytes)));
}

}  // namespace planex::render
