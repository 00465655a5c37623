// A file as bytes, before and where it is no good JSON: what it is instead, where it breaks, and
// repairs that lose nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planex::ingest {

// What a file is that is not JSON, for a message; empty where it may be JSON.
std::string describe_content(std::string_view text);

// Where the first value of a text ends, by its brackets and texts alone: behind the bracket that
// closes it. Nothing where there is none.
std::optional<std::size_t> document_end(std::string_view text);

// The offset of the first control character between quotation marks, or the size.
std::size_t control_inside_text(std::string_view text);

// The offset of the first byte that is no UTF-8, or the size.
std::size_t valid_utf8_prefix(std::string_view text);

// A copy with control characters inside texts written as escapes ("\u001e").
struct EscapedText {
  std::string text;
  // Offsets of the escapes in `text`, ascending. Each is kGrowth bytes longer than what it
  // replaces.
  std::vector<std::size_t> escapes;
  static constexpr std::size_t kGrowth = 5;

  // An offset in `text` as one of the text it was made of.
  std::size_t original(std::size_t at) const;
};

// Nothing where there is nothing to escape, or more than kMaxEscapes: such a text is no damaged
// JSON but something else.
inline constexpr std::size_t kMaxEscapes = 1'000'000;
std::optional<EscapedText> escape_control_characters(std::string_view text);

}  // namespace planex::ingest
