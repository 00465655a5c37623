#include "drive/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::drive {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How often cancellation, timeout and the child's end are looked at while nothing is written. A
// signal ends the waiting at once.
constexpr milliseconds kTick{20};
// How long after the child's end its children may keep the pipes open.
constexpr milliseconds kDrain{300};
// What shells report of a program that can't be started.
constexpr int kNotStarted = 127;
constexpr std::size_t kMaxLine = std::size_t{1} << 20;

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
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

Failure system_error(ErrorCode code, std::string_view doing, int number) {
  return fail(code, base::format("{}: {}", doing, std::strerror(number)));
}

struct Pipe {
  Fd read;
  Fd write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return system_error(ErrorCode::kIo, "can't make a pipe", errno);
  }
  Pipe pipe{Fd(ends[0]), Fd(ends[1])};
  // Above 2, so that putting the ends in their places can't overwrite one another where planex was
  // started with its own stdout or stderr closed.
  for (Fd* end : {&pipe.read, &pipe.write}) {
    if (end->get() > 2) continue;
    Fd moved(::fcntl(end->get(), F_DUPFD_CLOEXEC, 3));
    if (moved.get() < 0) return system_error(ErrorCode::kIo, "can't make a pipe", errno);
    *end = std::move(moved);
  }
  ::fcntl(pipe.read.get(), F_SETFL, ::fcntl(pipe.read.get(), F_GETFL) | O_NONBLOCK);
  return pipe;
}

// What the child does before it is another program. Nothing here may allocate: it is a copy of a
// process that may have had other threads. Returns where the program can't be started.
void become(char* const* argv, const Pipe& out, const Pipe& err, pid_t parent) {
  ::setsid();
#ifdef __linux__
  // A planex that is killed can't stop it any more.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kNotStarted);
#endif
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0) return;
  if (nothing != STDIN_FILENO) ::close(nothing);
  if (::dup2(out.write.get(), STDOUT_FILENO) < 0) return;
  if (::dup2(err.write.get(), STDERR_FILENO) < 0) return;
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvp(argv[0], argv);
}

Result<pid_t> spawn(const std::vector<std::string>& arguments, const Pipe& out, const Pipe& err) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) {
    // The interface predates const; it does not write.
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);

  // Closed by the start of the program; else it brings why there was none.
  PLANEX_ASSIGN(Pipe failure, make_pipe());
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return system_error(ErrorCode::kIo, "can't start a program", errno);
  if (pid == 0) {
    become(argv.data(), out, err, parent);
    const int number = errno;
    if (::write(failure.write.get(), &number, sizeof number) < 0) ::_exit(kNotStarted);
    ::_exit(kNotStarted);
  }
  failure.write.close();
  ::fcntl(failure.read.get(), F_SETFL, ::fcntl(failure.read.get(), F_GETFL) & ~O_NONBLOCK);
  int number = 0;
  ssize_t count = 0;
  do {
    count = ::read(failure.read.get(), &number, sizeof number);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return pid;
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return system_error(ErrorCode::kNotFound,
                      base::format("can't start {}", base::quoted(arguments[0])), number);
}

// One started program. Its process id stays reserved until reap(), so signals can't hit another.
class Child {
 public:
  Child(pid_t pid, Pipe out, Pipe err, const SubprocessRequest& request)
      : pid_(pid), out_(std::move(out.read)), err_(std::move(err.read)), request_(request) {}

  SubprocessOutcome wait(const Cancellation& cancellation) {
    const auto start = Clock::now();
    std::optional<Clock::time_point> ended;
    std::optional<Clock::time_point> asked_to_stop;
    SubprocessOutcome outcome;
    while (true) {
      const bool is_open = pump();
      const auto now = Clock::now();
      if (!ended && has_ended()) ended = now;
      if (ended && (!is_open || now - *ended > kDrain)) break;
      if (asked_to_stop) {
        if (now - *asked_to_stop > request_.grace) signal_group(SIGKILL);
        continue;
      }
      const bool is_late = request_.timeout && now - start > *request_.timeout;
      if (ended || (!cancellation.requested() && !is_late)) continue;
      outcome.ending = is_late ? Ending::kTimedOut : Ending::kCancelled;
      asked_to_stop = now;
      signal_group(SIGTERM);
    }
    signal_group(SIGKILL);  // Children that it left behind.
    const int status = reap();
    if (!asked_to_stop) {
      outcome.ending = WIFSIGNALED(status) ? Ending::kSignalled : Ending::kExited;
    }
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome.stderr_tail = std::move(tail_);
    return outcome;
  }

 private:
  // Reads what there is, or waits a little. False once both pipes are at their end.
  bool pump() {
    std::array<pollfd, 2> polled = {pollfd{out_.get(), POLLIN, 0}, pollfd{err_.get(), POLLIN, 0}};
    ::poll(polled.data(), polled.size(), static_cast<int>(kTick.count()));
    if (polled[0].revents != 0) {
      read_some(out_, [&](std::string_view chunk) {
        if (request_.on_stdout) request_.on_stdout(chunk);
      });
    }
    if (polled[1].revents != 0) {
      read_some(err_, [&](std::string_view chunk) {
        if (request_.on_stderr) request_.on_stderr(chunk);
        tail_ += chunk;
        if (tail_.size() > 2 * request_.stderr_tail_bytes) trim_tail();
      });
    }
    const bool is_open = out_.get() >= 0 || err_.get() >= 0;
    if (!is_open) trim_tail();
    return is_open;
  }

  void trim_tail() {
    if (tail_.size() > request_.stderr_tail_bytes) {
      tail_.erase(0, tail_.size() - request_.stderr_tail_bytes);
    }
  }

  template <typename Take>
  static void read_some(Fd& fd, Take take) {
    char buffer[1 << 16];
    const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
    if (count > 0) {
      take(std::string_view(buffer, static_cast<std::size_t>(count)));
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      fd.close();
    }
  }

  bool has_ended() const {
    siginfo_t info{};
    const int code = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return code == 0 && info.si_pid == pid_;
  }

  void signal_group(int signal) const { ::kill(-pid_, signal); }

  int reap() const {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  pid_t pid_;
  Fd out_;
  Fd err_;
  const SubprocessRequest& request_;
  std::string tail_;
};

}  // namespace

Result<SubprocessOutcome> run_subprocess(const SubprocessRequest& request,
                                         const Cancellation& cancellation) {
  if (request.arguments.empty() || request.arguments[0].empty()) {
    return fail(ErrorCode::kUsage, "no program to start");
  }
  for (const std::string& argument : request.arguments) {
    if (argument.find('\0') != std::string::npos) {
      return fail(ErrorCode::kUsage,
                  base::format("the argument {} contains a NUL character", base::quoted(argument)));
    }
  }
  PLANEX_ASSIGN(Pipe out, make_pipe());
  PLANEX_ASSIGN(Pipe err, make_pipe());
  PLANEX_ASSIGN(const pid_t pid, spawn(request.arguments, out, err));
  out.write.close();
  err.write.close();
  return Child(pid, std::move(out), std::move(err), request).wait(cancellation);
}

void LineSplitter::add(std::string_view chunk) {
  while (!chunk.empty()) {
    const std::size_t end = chunk.find('\n');
    const std::string_view piece = chunk.substr(0, end);
    if (partial_.size() + piece.size() > kMaxLine) is_too_long_ = true;
    if (!is_too_long_) partial_ += piece;
    if (end == std::string_view::npos) return;
    if (!is_too_long_) on_line_(partial_);
    partial_.clear();
    is_too_long_ = false;
    chunk.remove_prefix(end + 1);
  }
}

void LineSplitter::finish() {
  if (!partial_.empty() && !is_too_long_) on_line_(partial_);
  partial_.clear();
  is_too_long_ = false;
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? base::format("SIG{}", name) : base::format("signal {}", signal);
}

}  // namespace planex::drive
