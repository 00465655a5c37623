#include "drive/remote_shell.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/remote_script.h"

namespace planex::drive {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How long the shell can take to clean up before its launcher is killed.
constexpr std::chrono::seconds kFarewell{10};
// How long stderr can come after stdout. They are two streams of a connection, which keeps no order
// between them.
constexpr std::chrono::seconds kStderrLag{3};
constexpr int kShellSignal = 128;

std::string random_mark() {
  std::array<unsigned char, 16> bytes{};
  ::randombytes_buf(bytes.data(), bytes.size());
  std::string mark = "planex-";
  for (const unsigned char byte : bytes) mark += base::format("{:02x}", byte);
  return mark;
}

}  // namespace

void RemoteShell::Marks::add(std::string_view chunk, const Take& take) {
  held_ += chunk;
  while (true) {
    const std::size_t at = held_.find(mark_);
    const std::size_t end = at == held_.npos ? at : held_.find('\n', at + mark_.size());
    const std::size_t count = std::min(at, held_.size() - partial_mark());
    if (count > 0 && take) take(std::string_view(held_).substr(0, count));
    if (end == held_.npos) {
      held_.erase(0, count);
      return;
    }
    std::from_chars(held_.data() + at + mark_.size(), held_.data() + end, exit_code_);
    ++count_;
    held_.erase(0, end + 1);
  }
}

// The bytes at the end that may be the first of a mark.
std::size_t RemoteShell::Marks::partial_mark() const {
  const std::size_t at = held_.rfind('\n');
  if (at == held_.npos || !mark_.starts_with(std::string_view(held_).substr(at))) return 0;
  return held_.size() - at;
}

RemoteShell::RemoteShell(std::vector<std::string> launcher, milliseconds patience,
                         ChildProcess child)
    : launcher_(std::move(launcher)),
      patience_(patience),
      child_(std::move(child)),
      mark_(random_mark()),
      stdout_marks_(mark_),
      stderr_marks_(mark_) {}

RemoteShell::~RemoteShell() {
  child_.close_stdin();
  const auto start = Clock::now();
  const auto ignore = [](std::string_view) {};
  while (!child_.has_ended() && Clock::now() - start < kFarewell) {
    child_.pump(ignore, ignore, ChildProcess::kTick);
  }
  if (!child_.has_ended()) child_.signal_group(SIGTERM);
}

Result<std::unique_ptr<RemoteShell>> RemoteShell::open(const std::vector<std::string>& launcher,
                                                       milliseconds patience,
                                                       const Cancellation& cancellation) {
  std::vector<std::string> words = launcher;
  words.emplace_back("sh");
  PLANEX_ASSIGN(ChildProcess child, ChildProcess::start(words, Stdin::kWritten));
  std::unique_ptr<RemoteShell> shell(new RemoteShell(launcher, patience, std::move(child)));
  const std::string script =
      base::format("PLANEX_MARK={}\n{}", shell->mark_, remote_shell_script());
  // A shell that prints a greeting writes before the mark.
  PLANEX_ASSIGN(const int code, shell->run_line(script, {}, {}, cancellation));
  if (code != 0) return shell->gone();
  return shell;
}

Failure RemoteShell::silent() {
  Error error;
  error.code = ErrorCode::kExternalTool;
  error.message =
      base::format("the launcher {} was silent for {} s", base::quoted(shell_line(launcher_)),
                   static_cast<double>(patience_.count()) / 1000);
  error.context = std::string(base::trimmed(stderr_.take()));
  error.hint =
      "It must run `sh`, which is added as its last word, and pass standard input and output on, "
      "as `docker exec -i` does. If it waits for a machine or a password, allow more time with "
      "--launcher-timeout SECONDS.";
  return fail(std::move(error));
}

Failure RemoteShell::gone() {
  Error error;
  error.code = ErrorCode::kExternalTool;
  error.message = base::format("the launcher {} started no shell, or lost it",
                               base::quoted(shell_line(launcher_)));
  error.context = std::string(base::trimmed(stderr_.take()));
  error.hint =
      "Try it by hand: it must run `sh` and pass standard input on, as `docker exec -i` and "
      "`kubectl exec -i POD --` do.";
  return fail(std::move(error));
}

Result<RemoteShell::LineEnd> RemoteShell::exchange(const std::string& line,
                                                   std::string_view content, const Take& on_stdout,
                                                   const SubprocessRequest& limits,
                                                   std::optional<milliseconds> patience,
                                                   const Cancellation& cancellation) {
  if (is_gone_) return LineEnd{};
  const int due = stdout_marks_.count() + 1;
  std::string head = line;
  head += '\n';
  std::string_view unsent = head;
  bool is_head = true;
  LineEnd end;
  const auto start = Clock::now();
  auto heard = start;
  std::optional<Clock::time_point> asked_to_stop;
  std::optional<Clock::time_point> answered;
  while (true) {
    if (!unsent.empty()) {
      const auto sent = child_.write_some(unsent);
      if (!sent) unsent = {};
      if (sent) unsent.remove_prefix(*sent);
      if (sent && *sent > 0) heard = Clock::now();
      if (unsent.empty() && is_head) {
        unsent = content;
        is_head = false;
      }
    }
    const bool is_open = child_.pump(
        [&](std::string_view chunk) {
          heard = Clock::now();
          stdout_marks_.add(chunk, on_stdout);
        },
        [&](std::string_view chunk) {
          stderr_marks_.add(chunk, [&](std::string_view text) {
            if (limits.on_stderr) limits.on_stderr(text);
            stderr_.add(text);
          });
        },
        unsent.empty() ? ChildProcess::kTick : milliseconds(1));
    const auto now = Clock::now();
    if (stdout_marks_.count() == due) {
      if (!answered) answered = now;
      // A launcher that passes no stderr on is waited for once.
      if (now - *answered > kStderrLag) passes_stderr_ = false;
      if (stderr_marks_.count() >= due || !passes_stderr_ || !is_open) break;
      continue;
    }
    if (!is_open) {
      is_gone_ = true;
      return end;
    }
    if (asked_to_stop) {
      if (now - *asked_to_stop <= kFarewell) continue;
      // The other side no longer answers.
      child_.signal_group(SIGTERM);
      is_gone_ = true;
      return end;
    }
    const bool is_late = limits.timeout && now - start > *limits.timeout;
    if (patience && now - heard > *patience && !cancellation.requested()) {
      // Nothing to wait for: a silent launcher does not respond to the end either.
      child_.signal_group(SIGTERM);
      is_gone_ = true;
      end.ending = Ending::kTimedOut;
      return end;
    }
    if (!cancellation.requested() && !is_late) continue;
    end.ending = is_late ? Ending::kTimedOut : Ending::kCancelled;
    asked_to_stop = now;
    // A partial content can't be told from a line, but the end of stdin can.
    unsent = {};
    child_.close_stdin();
    is_gone_ = true;
  }
  end.exit_code = stdout_marks_.exit_code();
  return end;
}

Result<int> RemoteShell::run_line(const std::string& line, std::string_view content,
                                  const Take& on_stdout, const Cancellation& cancellation) {
  PLANEX_ASSIGN(const LineEnd end, exchange(line, content, on_stdout, {}, patience_, cancellation));
  if (end.ending == Ending::kTimedOut) return silent();
  if (end.ending == Ending::kCancelled) {
    return fail(ErrorCode::kCancelled, "stopped; nothing was written");
  }
  if (!end.exit_code) return gone();
  return *end.exit_code;
}

Result<std::string> RemoteShell::make_folder(const Cancellation& cancellation) {
  PLANEX_ASSIGN(auto path, ask("planex_folder", cancellation));
  if (path && !path->empty()) return std::move(*path);
  Error error;
  error.code = ErrorCode::kIo;
  error.message = "can't make a folder on the other machine";
  error.context = std::string(base::trimmed(stderr_.take()));
  error.hint = "Free space in its /tmp, or set TMPDIR there to another folder.";
  return fail(std::move(error));
}

Result<std::optional<std::string>> RemoteShell::ask(const std::string& line,
                                                    const Cancellation& cancellation) {
  std::string answer;
  PLANEX_ASSIGN(const int code,
                run_line(line, {}, [&](std::string_view chunk) { answer += chunk; }, cancellation));
  if (code != 0) return std::optional<std::string>();
  return std::optional(std::move(answer));
}

Result<void> RemoteShell::put(const std::string& local, const std::string& remote,
                              const Cancellation& cancellation) {
  PLANEX_ASSIGN(const auto bytes, base::disk().read(local, base::Access::kWhole));
  return put_text(bytes->view(), remote, cancellation);
}

Result<void> RemoteShell::put_text(std::string_view text, const std::string& remote,
                                   const Cancellation& cancellation) {
  const std::string line = base::format("planex_put {} {}", text.size(), base::shell_word(remote));
  const auto code = run_line(line, text, {}, cancellation);
  if (code && *code == 0) return {};
  if (!code && code.error().code == ErrorCode::kCancelled) return fail(code.error());
  Error error;
  error.code = ErrorCode::kIo;
  error.message = "can't copy a file to the other machine";
  error.file = remote;
  error.context = std::string(base::trimmed(stderr_.take()));
  if (!code && error.context.empty()) error.context = code.error().context;
  return fail(std::move(error));
}

Result<void> RemoteShell::get(const std::string& remote, const std::string& local,
                              const Cancellation& cancellation) {
  PLANEX_ASSIGN(base::FileWriter file, base::FileWriter::create(local));
  Result<void> written;
  std::string head;
  std::optional<std::uint64_t> expected;
  std::uint64_t count = 0;
  const auto take = [&](std::string_view chunk) {
    if (!expected) {
      head += chunk;
      const std::size_t end = head.find('\n');
      if (end == head.npos) return;
      const std::string_view number = base::trimmed(std::string_view(head).substr(0, end));
      std::uint64_t size = 0;
      std::from_chars(number.data(), number.data() + number.size(), size);
      expected = size;
      count += head.size() - end - 1;
      written = file.write(std::string_view(head).substr(end + 1));
      return;
    }
    count += chunk.size();
    if (written) written = file.write(chunk);
  };
  const std::string word = base::shell_word(remote);
  PLANEX_ASSIGN(const int code,
                run_line(base::format("wc -c <{0} && cat {0}", word), {}, take, cancellation));
  if (!written) return written;
  if (code == 0 && expected == count) return file.finish();
  Error error;
  error.code = ErrorCode::kExternalTool;
  error.message = "can't copy a file from the other machine";
  error.file = remote;
  error.context = std::string(base::trimmed(stderr_.take()));
  return fail(std::move(error));
}

Result<SubprocessOutcome> RemoteShell::run(const SubprocessRequest& request,
                                           const Cancellation& cancellation) {
  for (const std::string& word : request.arguments) {
    if (word.find_first_of("\n\r\0", 0, 3) != word.npos) {
      return fail(ErrorCode::kUsage,
                  base::format("the argument {} contains a line break, which can't pass through a "
                               "launcher",
                               base::quoted(word)));
    }
  }
  const std::string line = "planex_run " + shell_line(request.arguments);
  StderrTail tail(request.stderr_tail_bytes);
  SubprocessRequest limits;
  limits.timeout = request.timeout;
  limits.on_stderr = [&](std::string_view chunk) {
    if (request.on_stderr) request.on_stderr(chunk);
    tail.add(chunk);
  };
  const Take on_stdout = [&](std::string_view chunk) {
    if (request.on_stdout) request.on_stdout(chunk);
  };
  PLANEX_ASSIGN(const LineEnd end, exchange(line, {}, on_stdout, limits, {}, cancellation));
  SubprocessOutcome outcome;
  outcome.ending = end.ending;
  outcome.stderr_tail = tail.take();
  if (end.ending != Ending::kExited) return outcome;
  if (!end.exit_code) return gone();
  outcome.exit_code = *end.exit_code;
  if (*end.exit_code > kShellSignal && *end.exit_code < kShellSignal + 32) {
    outcome.ending = Ending::kSignalled;
    outcome.signal = *end.exit_code - kShellSignal;
  }
  return outcome;
}

}  // namespace planex::drive
