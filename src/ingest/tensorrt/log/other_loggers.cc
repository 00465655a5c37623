#include "ingest/tensorrt/log/other_loggers.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

// A name, a location or a time in a prefix is no longer than this.
constexpr std::size_t kLongestPart = 160;

struct LoggerWord {
  std::string_view word;
  LogSeverity severity;
};
constexpr std::array<LoggerWord, 8> kLoggerWords = {{{"ERROR", LogSeverity::kError},
                                                     {"WARNING", LogSeverity::kWarning},
                                                     {"INFO", LogSeverity::kInfo},
                                                     {"VERBOSE", LogSeverity::kVerbose},
                                                     {"DEBUG", LogSeverity::kVerbose},
                                                     {"INTERNAL_ERROR", LogSeverity::kFatal},
                                                     {"FATAL", LogSeverity::kFatal},
                                                     {"CRITICAL", LogSeverity::kFatal}}};

LogSeverity logger_severity(std::string_view word) {
  const auto found = std::ranges::find(kLoggerWords, word, &LoggerWord::word);
  return found == kLoggerWords.end() ? LogSeverity::kNone : found->severity;
}

bool set_text(std::string_view text, LogSeverity severity, LogLine& result) {
  result.text = text.substr(std::min(text.find_first_not_of(' '), text.size()));
  result.severity = severity;
  result.from_library = true;
  return severity != LogSeverity::kNone;
}

// "ERROR: …"
bool split_word(std::string_view line, LogLine& result) {
  constexpr std::size_t kLongestWord = 16;
  const std::size_t colon = line.substr(0, kLongestWord).find(':');
  if (colon == line.npos) return false;
  const LogSeverity severity = logger_severity(line.substr(0, colon));
  if (severity == LogSeverity::kNone) return false;
  std::string_view text = line.substr(colon + 1);
  // The name of a logger of Python's.
  if (text.starts_with("torch_tensorrt")) {
    text.remove_prefix(std::min(text.substr(0, kLongestPart).find('['), text.size()));
  }
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (is_coded_error(text)) return set_text(text, severity, result);
  if (!text.starts_with('[')) return false;
  const std::size_t close = text.substr(0, kLongestPart).find(']');
  if (close == text.npos) return false;
  const std::string_view source = text.substr(1, close - 1);
  if (source != "TRT" && source.find("TensorRT") == source.npos) return false;
  text.remove_prefix(close + 1);
  for (const std::string_view mark : {":", " - "}) {
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
  }
  return set_text(text, severity, result);
}

// "E0524 14:43:21.123456 1 logging.cc:49] x": Triton's own lines look the same except for the file.
bool split_triton(std::string_view line, LogLine& result) {
  constexpr std::size_t kDigits = 4;
  if (line.size() < kDigits + 2 || !base::are_digits(line.substr(1, kDigits)) ||
      line[kDigits + 1] != ' ') {
    return false;
  }
  const std::size_t close = line.substr(0, kLongestPart).find("] ");
  const std::size_t file = line.find(" logging.cc:");
  if (close == line.npos || file == line.npos || file > close) return false;
  switch (line.front()) {
    case 'E':
      return set_text(line.substr(close + 2), LogSeverity::kError, result);
    case 'W':
      return set_text(line.substr(close + 2), LogSeverity::kWarning, result);
    case 'I':
      return set_text(line.substr(close + 2), LogSeverity::kInfo, result);
    case 'V':
      return set_text(line.substr(close + 2), LogSeverity::kVerbose, result);
    default:
      return false;
  }
}

// "[2024-05-24 14:43:21   ERROR] x"
bool split_onnxruntime(std::string_view line, LogLine& result) {
  constexpr std::string_view kProvider = ":onnxruntime:";
  if (const std::size_t own = line.substr(0, kLongestPart).find(kProvider); own != line.npos) {
    const std::size_t inner = line.substr(0, 2 * kLongestPart).find("] [", own);
    if (inner == line.npos) return false;
    line.remove_prefix(inner + 2);
  }
  constexpr std::size_t kTime = 20;  // "[2024-05-24 14:43:21"
  const std::size_t close = line.substr(0, 2 * kTime).find(']');
  if (!line.starts_with("[20") || close == line.npos || close < kTime || line[kTime] != ' ') {
    return false;
  }
  const std::string_view word = base::trimmed(line.substr(kTime, close - kTime));
  return set_text(line.substr(close + 1), logger_severity(word), result);
}

}  // namespace

bool is_coded_error(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  constexpr std::size_t kMaxDigits = 3;
  if (digits == 0 || digits > kMaxDigits || !text.substr(digits).starts_with(": [")) return false;
  const std::size_t close = text.find(']');
  return close != text.npos && text.substr(0, close).find(".cpp::") != text.npos;
}

bool split_other_prefix(std::string_view line, LogLine& result) {
  switch (line.empty() ? ' ' : line.front()) {
    case '[':
      return split_onnxruntime(line, result);
    case '2':
      // ONNX Runtime's own time precedes the rest.
      return line.substr(0, kLongestPart).find(":onnxruntime:") != line.npos &&
             split_onnxruntime(line, result);
    case 'E':
    case 'W':
    case 'I':
    case 'V':
    case 'D':
    case 'F':
    case 'C':
      return split_triton(line, result) || split_word(line, result);
    default:
      return false;
  }
}

}  // namespace planex::ingest::tensorrt
