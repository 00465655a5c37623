// The lines of a TensorRT log from any program: trtexec, a Python script's logger, TensorRT-RTX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace planex::ingest::tensorrt {

enum class LogSeverity : std::uint8_t {
  kNone,  // a bare line: the banner, or a continuation of a multi-line message
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
  // Written by TensorRT itself, not by the program that runs it.
  bool from_library = false;
  std::uint64_t byte_offset = 0;
  std::size_t number = 0;  // from 1
};

// Splits a log into lines. Views point into the text. O(size), each byte is read once.
class LogLines {
 public:
  explicit LogLines(std::string_view text) : text_(text), end_(text.size()) {}
  // Only the lines of [begin, end), the first of which is line `first_number` of the text.
  LogLines(std::string_view text, std::size_t begin, std::size_t end, std::size_t first_number)
      : text_(text), at_(begin), end_(end), number_(first_number - 1) {}

  // The next line; false at the end.
  bool next(LogLine& line);

 private:
  void split_prefix(std::string_view raw, LogLine& line);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::size_t number_ = 0;
  // Lines of the same second begin the same way, so that most times need not be checked.
  std::string_view last_time_;
};

// Splits the prefix off a line: "[05/18/2022-10:20:30] [I] [TRT] x", "[VERBOSE] x", "[TRT] [W] x",
// "[TensorRT] ERROR: x".
LogLine parse_log_line(std::string_view line);

}  // namespace planex::ingest::tensorrt
