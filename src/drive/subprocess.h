// Runs a program, without a shell, and waits for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/cancellation.h"
#include "planex/error.h"

namespace planex::drive {

struct SubprocessRequest {
  // The program (a path, or a name that is looked up in PATH) and its arguments, passed unchanged.
  std::vector<std::string> arguments;
  // Called with the output as it arrives; may be empty.
  std::function<void(std::string_view chunk)> on_stdout;
  std::function<void(std::string_view chunk)> on_stderr;
  std::optional<std::chrono::milliseconds> timeout;
  // The time between SIGTERM and SIGKILL.
  std::chrono::milliseconds grace{2000};
  // How much of the end of stderr the outcome keeps.
  std::size_t stderr_tail_bytes = std::size_t{64} << 10;
};

enum class Ending : std::uint8_t { kExited, kSignalled, kTimedOut, kCancelled };

struct SubprocessOutcome {
  Ending ending = Ending::kExited;
  int exit_code = 0;  // kExited
  int signal = 0;     // kSignalled
  std::string stderr_tail;
};

// The child gets an empty stdin and a session of its own: it can't wait for a terminal. It is
// stopped together with all its children on cancellation or timeout, and children that it leaves
// behind are stopped too. SIGTERM comes first, SIGKILL after the grace time.
// Errors: kNotFound (no such program), kIo. A failing child is not an error but an outcome.
Result<SubprocessOutcome> run_subprocess(const SubprocessRequest& request,
                                         const Cancellation& cancellation);

// The end of what a program wrote to stderr.
class StderrTail {
 public:
  explicit StderrTail(std::size_t limit_bytes) : limit_(limit_bytes) {}
  void add(std::string_view chunk);
  std::string take();

 private:
  void trim();

  std::size_t limit_;
  std::string text_;
};

// Splits chunks into lines. Lines of more than 1 MB are dropped.
class LineSplitter {
 public:
  explicit LineSplitter(std::function<void(std::string_view line)> on_line)
      : on_line_(std::move(on_line)) {}
  void add(std::string_view chunk);
  // The last line, if it does not end in a line break.
  void finish();

 private:
  std::function<void(std::string_view line)> on_line_;
  std::string partial_;
  bool is_too_long_ = false;
};

// The words as one shell line, quoted as needed.
std::string shell_line(const std::vector<std::string>& words);

// "SIGSEGV", or "signal 42".
std::string signal_name(int signal);

}  // namespace planex::drive
