// Names from models can contain any bytes; JSON can't.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace planex::base {

struct CodePoint {
  std::int32_t value = -1;  // negative: the byte is not part of a character
  std::size_t length = 1;   // in bytes
};

// The first character of a text that is not empty.
CodePoint first_code_point(std::string_view text);

// Whether a cut before text[at] would split the bytes of one character.
inline bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

bool is_valid_utf8(std::string_view text);

// Each byte that is not part of a character becomes U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace planex::base
