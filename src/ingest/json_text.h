// A file as bytes, before it is parsed as JSON or if it is invalid: what it is instead, where it
// breaks, and lossless repairs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planex::ingest {

// What a file that is not JSON is, for a message; empty if it may be JSON.
std::string describe_content(std::string_view text);

// Where the first value of a text ends, judging only by its brackets and strings: after the bracket
// that closes it. Nothing if there is no value.
std::optional<std::size_t> document_end(std::string_view text);

// The offset of the first control character between quotation marks, or the size.
std::size_t control_inside_text(std::string_view text);

// The offset of the first byte that is not valid UTF-8, or the size.
std::size_t valid_utf8_prefix(std::string_view text);

// A copy with control characters inside texts written as escapes ("\u001e").
struct EscapedText {
  std::string text;
  // Offsets of the escapes in `text`, ascending. Each is kGrowth bytes longer than what it
  // replaces.
  std::vector<std::size_t> escapes;
  static constexpr std::size_t kGrowth = 5;

  // Converts an offset in `text` to one in the original text.
  std::size_t original(std::size_t at) const;
};

// Nothing if there is nothing to escape, or more than kMaxEscapes: then the text is not damaged
// JSON but something else.
inline constexpr std::size_t kMaxEscapes = 1'000'000;
std::optional<EscapedText> escape_control_characters(std::string_view text);

}  // namespace planex::ingest
