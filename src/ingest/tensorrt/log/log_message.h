// The output of one logger call: a line with a prefix, and the bare lines after it if its text
// contains line breaks, as a model's names may.
#pragma once

#include <cstddef>
#include <string_view>

#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

// Where the line after the one at `offset` starts, or the end.
std::size_t next_line(std::string_view log, std::size_t offset);

// The line that starts at `offset`, without its end.
std::string_view line_at(std::string_view log, std::size_t offset);

// Whether a logger's prefix, or trtexec's banner, starts at `offset`.
bool starts_message(std::string_view log, std::size_t offset);

// The end of the message whose first line is `line`: the start of the next message, or the end of
// the log. Looks at most kLongestMessage bytes ahead, and stops there at a line's end.
inline constexpr std::size_t kLongestMessage = std::size_t{1} << 20;
std::size_t end_of_message(std::string_view log, const LogLine& line);

// The text of the message, without the last line's end.
std::string_view message_text(std::string_view log, const LogLine& line, std::size_t end);

}  // namespace planex::ingest::tensorrt
