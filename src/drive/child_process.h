// A program started without a shell: its pipes, its signals, its end. Most callers want
// run_subprocess() of drive/subprocess.h.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planex/error.h"

namespace planex::drive {

namespace internal {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { close(); }
  void close();
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

}  // namespace internal

enum class Stdin : std::uint8_t { kEmpty, kWritten };

// The child has a session of its own: it can't wait for a terminal, and it can be stopped together
// with all its children. Its process id stays reserved until reap(), so signals can't hit another
// process. Destroying this object before that kills the child.
class ChildProcess {
 public:
  using Take = std::function<void(std::string_view chunk)>;
  // How often waiting loops check cancellation, a timeout and the child's end while nothing is
  // written.
  static constexpr std::chrono::milliseconds kTick{20};

  // Errors: kUsage (no program, a NUL character in a word), kNotFound (no such program), kIo.
  static Result<ChildProcess> start(const std::vector<std::string>& arguments, Stdin input);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  // Reads what is available, or waits a little; a signal to planex ends the wait. False once both
  // outputs have ended.
  bool pump(const Take& on_stdout, const Take& on_stderr, std::chrono::milliseconds wait);
  // How many bytes the child's stdin accepted, without waiting; nothing once the child has closed
  // it.
  std::optional<std::size_t> write_some(std::string_view bytes);
  void close_stdin();

  bool has_ended() const;
  void signal_group(int signal) const;
  // Waits for the end. Returns the status that waitpid() reports.
  int reap();

 private:
  ChildProcess() = default;

  pid_t pid_ = 0;
  internal::Fd in_, out_, err_;
};

}  // namespace planex::drive
