#include "base/printable.h"

#include <algorithm>
#include <cstddef>

#include "base/text.h"
#include "base/utf8.h"

namespace planex::base {
namespace {

struct CodePointRange {
  std::int32_t first, last;
};

// The Unicode Standard, general categories Cc, Cf, Zl and Zp, without the two joiners; sorted. A
// test compares it with the Unicode library of the renderers.
constexpr CodePointRange kUnseen[] = {
    {0x0000, 0x001F},   {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x0600, 0x0605},
    {0x061C, 0x061C},   {0x06DD, 0x06DD},   {0x070F, 0x070F},   {0x0890, 0x0891},
    {0x08E2, 0x08E2},   {0x180E, 0x180E},   {0x200B, 0x200B},   {0x200E, 0x200F},
    {0x2028, 0x202E},   {0x2060, 0x2064},   {0x2066, 0x206F},   {0xFEFF, 0xFEFF},
    {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0001, 0xE0001}, {0xE0020, 0xE007F},
};

bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

void append_escape(std::string& result, std::int32_t code_point, std::string_view bytes) {
  switch (code_point) {
    case '\n':
      result += "\\n";
      return;
    case '\r':
      result += "\\r";
      return;
    case '\t':
      result += "\\t";
      return;
    default:
      break;
  }
  if (code_point < 0) {
    result += format("\\x{:02x}", static_cast<unsigned char>(bytes.front()));
  } else {
    result += code_point < 0x80 ? format("\\x{:02x}", code_point) : format("\\u{:04x}", code_point);
  }
}

// The length of the renderers' color sequence, "ESC [ 1 m", at the start of a text, or 0.
std::size_t color_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != text.npos && text[end] == 'm' ? end + 1 : 0;
}

// `keep` returns how many bytes at the start of a text stay as they are.
template <typename Keep>
std::string escape_unseen(std::string_view text, const Keep& keep) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto plain =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    result += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t length = keep(text);
    if (length > 0) {
      result += text.substr(0, length);
    } else {
      const CodePoint point = first_code_point(text);
      length = point.length;
      if (is_printable(point.value)) {
        result += text.substr(0, length);
      } else {
        append_escape(result, point.value, text);
      }
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace

bool is_printable(std::int32_t code_point) {
  if (code_point < 0) return false;
  const auto* range = std::ranges::lower_bound(kUnseen, code_point, {}, &CodePointRange::last);
  return range == std::end(kUnseen) || code_point < range->first;
}

std::string printable(std::string_view text) {
  if (std::ranges::all_of(text, is_plain)) return std::string(text);
  return escape_unseen(text, [](std::string_view) { return std::size_t{0}; });
}

std::string printable_document(std::string document) {
  if (std::ranges::all_of(document, [](char c) { return is_plain(c) || c == '\n'; })) {
    return document;
  }
  return escape_unseen(document, [](std::string_view text) {
    return text.front() == '\n' ? std::size_t{1} : color_length(text);
  });
}

}  // namespace planex::base
