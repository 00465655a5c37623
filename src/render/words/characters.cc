#include "render/words/characters.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "base/utf8.h"

namespace planex::render {
namespace {

struct Range {
  std::int32_t first, last;
};

// Controls of C0 and C1, and characters that reorder or hide their neighbours.
constexpr Range kUnsafe[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x061C, 0x061C}, {0x200B, 0x200F},
    {0x202A, 0x202E}, {0x2060, 0x2069}, {0xFEFF, 0xFEFF},
};

// The Unicode Standard, 23.7: the last two of each plane, and 32 among the Arabic forms.
bool is_noncharacter(std::int32_t value) {
  return (value & 0xFFFE) == 0xFFFE || (value >= 0xFDD0 && value <= 0xFDEF);
}

bool is_unsafe(std::int32_t value) {
  return is_noncharacter(value) || std::ranges::any_of(kUnsafe, [value](Range range) {
           return value >= range.first && value <= range.last;
         });
}

bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

}  // namespace

std::string visible(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto plain = std::ranges::find_if_not(text, is_plain);
    const auto plain_length = static_cast<std::size_t>(plain - text.begin());
    result += text.substr(0, plain_length);
    text.remove_prefix(plain_length);
    if (text.empty()) break;
    const base::CodePoint point = base::first_code_point(text);
    if (point.value < 0) {
      result += "\uFFFD";
    } else if (is_unsafe(point.value)) {
      result += base::format("⟨U+{:04X}⟩", point.value);
    } else {
      result += text.substr(0, point.length);
    }
    text.remove_prefix(point.length);
  }
  return result;
}

}  // namespace planex::render
