#include "drive/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::drive {
namespace {

using Fd = internal::Fd;

// The exit code that shells report for a program that can't be started.
constexpr int kNotStarted = 127;

Failure system_error(ErrorCode code, std::string_view doing, int number) {
  return fail(code, base::format("{}: {}", doing, std::strerror(number)));
}

struct Pipe {
  Fd read;
  Fd write;
};

// Above 2, so that moving the ends into place can't overwrite one of them if planex was started
// with its own stdout or stderr closed.
Result<Pipe> above_streams(int read, int write) {
  Pipe pipe{Fd(read), Fd(write)};
  for (Fd* end : {&pipe.read, &pipe.write}) {
    if (end->get() > 2) continue;
    Fd moved(::fcntl(end->get(), F_DUPFD_CLOEXEC, 3));
    if (moved.get() < 0) return system_error(ErrorCode::kIo, "can't make a pipe", errno);
    *end = std::move(moved);
  }
  return pipe;
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return system_error(ErrorCode::kIo, "can't make a pipe", errno);
  }
  PLANEX_ASSIGN(Pipe pipe, above_streams(ends[0], ends[1]));
  ::fcntl(pipe.read.get(), F_SETFL, ::fcntl(pipe.read.get(), F_GETFL) | O_NONBLOCK);
  return pipe;
}

// For a child's stdin: writing to a socket whose reader is gone can be told not to raise SIGPIPE.
Result<Pipe> make_input() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return system_error(ErrorCode::kIo, "can't make a pipe", errno);
  }
  return above_streams(ends[0], ends[1]);
}

// What the child does before it becomes another program. Nothing here may allocate: the child is a
// copy of a process that may have had other threads. Returns only if the program can't be started.
// `in`: -1 for an empty stdin.
void become(char* const* argv, int in, int out, int err, pid_t parent) {
  ::setsid();
#ifdef __linux__
  // If planex is killed, it can no longer stop the child.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kNotStarted);
#endif
  const int source = in >= 0 ? in : ::open("/dev/null", O_RDONLY);
  if (source < 0 || ::dup2(source, STDIN_FILENO) < 0) return;
  if (in < 0 && source != STDIN_FILENO) ::close(source);
  if (::dup2(out, STDOUT_FILENO) < 0) return;
  if (::dup2(err, STDERR_FILENO) < 0) return;
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvp(argv[0], argv);
}

Result<pid_t> spawn(const std::vector<std::string>& arguments, int in, int out, int err) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) {
    // The interface predates const; it does not write.
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);

  // Closed when the program starts; otherwise it brings the reason for the failure.
  PLANEX_ASSIGN(Pipe failure, make_pipe());
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return system_error(ErrorCode::kIo, "can't start a program", errno);
  if (pid == 0) {
    become(argv.data(), in, out, err, parent);
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

void read_some(Fd& fd, const ChildProcess::Take& take) {
  char buffer[1 << 16];
  const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
  if (count > 0) {
    take(std::string_view(buffer, static_cast<std::size_t>(count)));
  } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
    fd.close();
  }
}

}  // namespace

void internal::Fd::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments, Stdin input) {
  if (arguments.empty() || arguments[0].empty()) {
    return fail(ErrorCode::kUsage, "no program to start");
  }
  for (const std::string& argument : arguments) {
    if (argument.find('\0') != std::string::npos) {
      return fail(ErrorCode::kUsage,
                  base::format("the argument {} contains a NUL character", base::quoted(argument)));
    }
  }
  PLANEX_ASSIGN(Pipe out, make_pipe());
  PLANEX_ASSIGN(Pipe err, make_pipe());
  Pipe in;
  if (input == Stdin::kWritten) {
    PLANEX_ASSIGN(in, make_input());
  }
  ChildProcess child;
  PLANEX_ASSIGN(child.pid_, spawn(arguments, in.read.get(), out.write.get(), err.write.get()));
  child.in_ = std::move(in.write);
  child.out_ = std::move(out.read);
  child.err_ = std::move(err.read);
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      in_(std::move(other.in_)),
      out_(std::move(other.out_)),
      err_(std::move(other.err_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(in_, other.in_);
  std::swap(out_, other.out_);
  std::swap(err_, other.err_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (pid_ == 0) return;
  signal_group(SIGKILL);
  reap();
}

bool ChildProcess::pump(const Take& on_stdout, const Take& on_stderr,
                        std::chrono::milliseconds wait) {
  std::array<pollfd, 2> polled = {pollfd{out_.get(), POLLIN, 0}, pollfd{err_.get(), POLLIN, 0}};
  ::poll(polled.data(), polled.size(), static_cast<int>(wait.count()));
  if (polled[0].revents != 0) read_some(out_, on_stdout);
  if (polled[1].revents != 0) read_some(err_, on_stderr);
  return out_.get() >= 0 || err_.get() >= 0;
}

std::optional<std::size_t> ChildProcess::write_some(std::string_view bytes) {
  const ssize_t count = ::send(in_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count >= 0) return static_cast<std::size_t>(count);
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return 0;
  return std::nullopt;
}

void ChildProcess::close_stdin() { in_.close(); }

bool ChildProcess::has_ended() const {
  siginfo_t info{};
  const int code = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return code == 0 && info.si_pid == pid_;
}

void ChildProcess::signal_group(int signal) const { ::kill(-pid_, signal); }

int ChildProcess::reap() {
  int status = 0;
  const pid_t pid = std::exchange(pid_, 0);
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace planex::drive
