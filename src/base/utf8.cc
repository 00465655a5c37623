#include "base/utf8.h"

namespace planex::base {
namespace {

// The length of the character at the start of `text`, or 0 where there is none.
// The Unicode Standard, table 3-7: well-formed UTF-8 byte sequences.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
  };
  const auto follows = [&](std::size_t i, unsigned least = 0x80, unsigned most = 0xBF) {
    return byte(i) >= least && byte(i) <= most;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool second = follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF);
    return second && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool second = follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const std::size_t length = character_length(text);
  if (length == 0) return {};
  const auto first = static_cast<std::uint8_t>(text.front());
  if (length == 1) return {.value = first, .length = 1};
  // The number of leading ones in the first byte is the length; each following byte contributes six
  // bits.
  std::int32_t value = first & (0x7F >> length);
  for (const char c : text.substr(1, length - 1)) {
    value = (value << 6) | (static_cast<std::uint8_t>(c) & 0x3F);
  }
  return {.value = value, .length = length};
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) {
      valid += "\xEF\xBF\xBD";
    } else {
      valid += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return valid;
}

}  // namespace planex::base
