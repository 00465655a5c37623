#include "ingest/tensorrt/log/log_message.h"

#include <algorithm>

namespace planex::ingest::tensorrt {

std::size_t next_line(std::string_view log, std::size_t offset) {
  const std::size_t end = log.find('\n', offset);
  return end == log.npos ? log.size() : end + 1;
}

std::string_view line_at(std::string_view log, std::size_t offset) {
  std::string_view line = log.substr(offset, log.find('\n', offset) - offset);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool starts_message(std::string_view log, std::size_t offset) {
  if (offset >= log.size()) return false;
  if (log[offset] == '&') return log.substr(offset).starts_with("&&&& ");
  // Enough for a time, a severity and a source.
  constexpr std::size_t kLongestPrefix = 80;
  return log[offset] == '[' &&
         parse_log_line(log.substr(offset, kLongestPrefix)).severity != LogSeverity::kNone;
}

std::size_t end_of_message(std::string_view log, const LogLine& line) {
  const auto first = static_cast<std::size_t>(line.byte_offset);
  std::size_t at = next_line(log, first);
  while (at < log.size() && at - first < kLongestMessage && !starts_message(log, at)) {
    at = next_line(log, at);
  }
  return at;
}

std::string_view message_text(std::string_view log, const LogLine& line, std::size_t end) {
  const auto first = static_cast<std::size_t>(line.text.data() - log.data());
  std::string_view text = log.substr(first, end - first);
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace planex::ingest::tensorrt
