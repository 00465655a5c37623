#include "ingest/tensorrt/log/log_lines.h"

#include <array>
#include <cstring>

#include "ingest/tensorrt/log/other_loggers.h"

namespace planex::ingest::tensorrt {
namespace {

struct SeverityWord {
  std::string_view word;
  LogSeverity severity;
};
constexpr std::array<SeverityWord, 11> kSeverities = {{{"V", LogSeverity::kVerbose},
                                                       {"I", LogSeverity::kInfo},
                                                       {"VERBOSE", LogSeverity::kVerbose},
                                                       {"INFO", LogSeverity::kInfo},
                                                       {"W", LogSeverity::kWarning},
                                                       {"E", LogSeverity::kError},
                                                       {"F", LogSeverity::kFatal},
                                                       {"WARNING", LogSeverity::kWarning},
                                                       {"ERROR", LogSeverity::kError},
                                                       {"INTERNAL_ERROR", LogSeverity::kFatal},
                                                       {"FATAL", LogSeverity::kFatal}}};

LogSeverity severity_of(std::string_view word) {
  for (const SeverityWord& entry : kSeverities) {
    if (entry.word == word) return entry.severity;
  }
  return LogSeverity::kNone;
}

LogSeverity severity_of(char letter) {
  switch (letter) {
    case 'V':
      return LogSeverity::kVerbose;
    case 'I':
      return LogSeverity::kInfo;
    case 'W':
      return LogSeverity::kWarning;
    case 'E':
      return LogSeverity::kError;
    case 'F':
      return LogSeverity::kFatal;
    default:
      return LogSeverity::kNone;
  }
}

constexpr std::string_view kTimeShape = "00/00/0000-00:00:00";  // MM/DD/YYYY-HH:MM:SS

bool is_time(std::string_view word) {
  if (word.size() != kTimeShape.size()) return false;
  for (std::size_t i = 0; i < kTimeShape.size(); ++i) {
    const bool digit = word[i] >= '0' && word[i] <= '9';
    if (kTimeShape[i] == '0' ? !digit : word[i] != kTimeShape[i]) return false;
  }
  return true;
}

// "[TensorRT] ERROR: x": the format of the Python logger up to TensorRT 7.
bool split_old_python_prefix(std::string_view line, LogLine& result) {
  constexpr std::string_view kStart = "[TensorRT] ";
  if (!line.starts_with(kStart)) return false;
  constexpr std::size_t kLongestWord = 16;
  const std::size_t colon = line.substr(kStart.size(), kLongestWord).find(':');
  if (colon == line.npos) return false;
  result.severity = severity_of(line.substr(kStart.size(), colon));
  if (result.severity == LogSeverity::kNone) return false;
  result.from_library = true;
  result.text = line.substr(kStart.size() + colon + 1);
  if (result.text.starts_with(' ')) result.text.remove_prefix(1);
  return true;
}

}  // namespace

LogLine parse_log_line(std::string_view line) {
  LogLine result;
  // At most a time, a severity and a source precede the text.
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
      result.severity = severity_of(word);
      if (result.severity == LogSeverity::kNone) break;
    }
    rest.remove_prefix(close + 1);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
  }
  if (result.severity != LogSeverity::kNone) {
    result.text = rest;
  } else if (!split_old_python_prefix(line, result) && !split_other_prefix(line, result)) {
    // Brackets without a severity are part of the text.
    result.text = line;
    result.from_library = false;
  }
  return result;
}

void LogLines::split_prefix(std::string_view raw, LogLine& line) {
  line.text = raw;
  line.severity = LogSeverity::kNone;
  line.from_library = false;
  if (!raw.starts_with('[')) {
    split_other_prefix(raw, line);
    return;
  }
  // trtexec's "[MM/DD/YYYY-HH:MM:SS] [S] ", followed by "[TRT] " for lines of the library.
  constexpr std::size_t kTimeEnd = kTimeShape.size() + 1, kLetter = kTimeEnd + 3;
  if (raw.size() > kLetter + 1 && raw[kTimeEnd] == ']' && raw[kLetter - 1] == '[' &&
      raw[kLetter + 1] == ']') {
    const LogSeverity severity = severity_of(raw[kLetter]);
    const std::string_view time = raw.substr(1, kTimeShape.size());
    if (severity != LogSeverity::kNone && (time == last_time_ || is_time(time))) {
      last_time_ = time;
      line.severity = severity;
      line.text = raw.substr(kLetter + 2);
      if (line.text.starts_with(' ')) line.text.remove_prefix(1);
      constexpr std::string_view kLibrary = "[TRT]";
      if (line.text.starts_with(kLibrary)) {
        line.from_library = true;
        line.text.remove_prefix(kLibrary.size());
        if (line.text.starts_with(' ')) line.text.remove_prefix(1);
      }
      return;
    }
  }
  line = parse_log_line(raw);
}

bool LogLines::next(LogLine& line) {
  if (at_ >= end_) return false;
  const char* first = text_.data() + at_;
  const void* end = std::memchr(first, '\n', end_ - at_);
  const std::size_t size =
      end == nullptr ? end_ - at_ : static_cast<std::size_t>(static_cast<const char*>(end) - first);
  std::string_view raw(first, size);
  if (raw.ends_with('\r')) raw.remove_suffix(1);
  split_prefix(raw, line);
  line.byte_offset = at_;
  line.number = ++number_;
  at_ += size + 1;
  return true;
}

}  // namespace planex::ingest::tensorrt
