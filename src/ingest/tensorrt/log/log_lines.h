// The lines of a TensorRT log, whoever wrote it: trtexec, a Python script's logger, TensorRT-RTX.
#ifndef PLANEX_INGEST_TENSORRT_LOG_LOG_LINES_H_
#define PLANEX_INGEST_TENSORRT_LOG_LOG_LINES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace planex::ingest::tensorrt {

enum class LogSeverity : std::uint8_t {
  kNone,  // a bare line: the banner, or what follows a line of several lines
  kFatal,
  kError,
  kWarning,
  kInfo,
  kVerbose
};

struct LogLine {
  // Without prefix and line end.
  std::string_view text;
  LogSeverity severity = LogSeverity::kNone;
  // TensorRT itself said it, not the program that runs it.
  bool from_library = false;
  std::uint64_t byte_offset = 0;
  std::size_t number = 0;  // from 1
};

// Splits a log into lines. Views point into the text. O(size), one look at each byte.
class LogLines {
 public:
  explicit LogLines(std::string_view text) : text_(text) {}
  // The next line; false at the end.
  bool next(LogLine& line);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t number_ = 0;
};

// Splits the prefix off a line: "[05/18/2022-10:20:30] [I] [TRT] x", "[VERBOSE] x", "[TRT] [W] x".
LogLine parse_log_line(std::string_view line);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_LOG_LOG_LINES_H_
