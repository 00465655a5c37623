#include "ingest/tensorrt/log/log_lines.h"

#include <array>
#include <cstring>

namespace planex::ingest::tensorrt {
namespace {

struct SeverityWord {
  std::string_view word;
  LogSeverity severity;
};
constexpr std::array<SeverityWord, 11> kSeverities = {{{"V", LogSeverity::kVerbose},
                                                       {"I", LogSeverity::kInfo},
                                                       {"W", LogSeverity::kWarning},
                                                       {"E", LogSeverity::kError},
                                                       {"F", LogSeverity::kFatal},
                                                       {"VERBOSE", LogSeverity::kVerbose},
                                                       {"INFO", LogSeverity::kInfo},
                                                       {"WARNING", LogSeverity::kWarning},
                                                       {"ERROR", LogSeverity::kError},
                                                       {"INTERNAL_ERROR", LogSeverity::kFatal},
                                                       {"FATAL", LogSeverity::kFatal}}};

// MM/DD/YYYY-HH:MM:SS
bool is_time(std::string_view word) {
  constexpr std::string_view kShape = "00/00/0000-00:00:00";
  if (word.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = word[i] >= '0' && word[i] <= '9';
    if (kShape[i] == '0' ? !digit : word[i] != kShape[i]) return false;
  }
  return true;
}

}  // namespace

LogLine parse_log_line(std::string_view line) {
  LogLine result;
  // At most a time, a severity and a source stand before the text.
  std::string_view rest = line;
  while (rest.starts_with('[')) {
    constexpr std::size_t kLongestWord = 24;
    const std::size_t close = rest.substr(0, kLongestWord).find(']');
    if (close == rest.npos) break;
    const std::string_view word = rest.substr(1, close - 1);
    if (word == "TRT") {
      result.from_library = true;
    } else if (!is_time(word)) {
      if (result.severity != LogSeverity::kNone) break;
      for (const SeverityWord& entry : kSeverities) {
        if (entry.word == word) result.severity = entry.severity;
      }
      if (result.severity == LogSeverity::kNone) break;
    }
    rest.remove_prefix(close + 1);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
  }
  // Brackets without a severity are part of the text.
  result.text = result.severity == LogSeverity::kNone ? line : rest;
  return result;
}

bool LogLines::next(LogLine& line) {
  if (at_ >= text_.size()) return false;
  const char* first = text_.data() + at_;
  const void* end = std::memchr(first, '\n', text_.size() - at_);
  const std::size_t size = end == nullptr
                               ? text_.size() - at_
                               : static_cast<std::size_t>(static_cast<const char*>(end) - first);
  std::string_view raw(first, size);
  if (raw.ends_with('\r')) raw.remove_suffix(1);
  line = parse_log_line(raw);
  line.byte_offset = at_;
  line.number = ++number_;
  at_ += size + 1;
  return true;
}

}  // namespace planex::ingest::tensorrt
