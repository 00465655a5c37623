#include "drive/subprocess.h"

#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "drive/child_process.h"

namespace planex::drive {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How long the child's own children may keep the pipes open after its end.
constexpr milliseconds kDrain{300};
constexpr std::size_t kMaxLine = std::size_t{1} << 20;

}  // namespace

void StderrTail::add(std::string_view chunk) {
  text_ += chunk;
  if (text_.size() > 2 * limit_) trim();
}

std::string StderrTail::take() {
  trim();
  return std::move(text_);
}

void StderrTail::trim() {
  if (text_.size() > limit_) text_.erase(0, text_.size() - limit_);
}

Result<SubprocessOutcome> run_subprocess(const SubprocessRequest& request,
                                         const Cancellation& cancellation) {
  PLANEX_ASSIGN(ChildProcess child, ChildProcess::start(request.arguments, Stdin::kEmpty));
  const auto start = Clock::now();
  std::optional<Clock::time_point> ended;
  std::optional<Clock::time_point> asked_to_stop;
  SubprocessOutcome outcome;
  StderrTail tail(request.stderr_tail_bytes);
  const auto on_stdout = [&](std::string_view chunk) {
    if (request.on_stdout) request.on_stdout(chunk);
  };
  const auto on_stderr = [&](std::string_view chunk) {
    if (request.on_stderr) request.on_stderr(chunk);
    tail.add(chunk);
  };
  while (true) {
    const bool is_open = child.pump(on_stdout, on_stderr, ChildProcess::kTick);
    const auto now = Clock::now();
    if (!ended && child.has_ended()) ended = now;
    if (ended && (!is_open || now - *ended > kDrain)) break;
    if (asked_to_stop) {
      if (now - *asked_to_stop > request.grace) child.signal_group(SIGKILL);
      continue;
    }
    const bool is_late = request.timeout && now - start > *request.timeout;
    if (ended || (!cancellation.requested() && !is_late)) continue;
    outcome.ending = is_late ? Ending::kTimedOut : Ending::kCancelled;
    asked_to_stop = now;
    child.signal_group(SIGTERM);
  }
  child.signal_group(SIGKILL);  // Children that it left behind.
  const int status = child.reap();
  if (!asked_to_stop) {
    outcome.ending = WIFSIGNALED(status) ? Ending::kSignalled : Ending::kExited;
  }
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.stderr_tail = tail.take();
  return outcome;
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

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += base::shell_word(word);
  }
  return line;
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? base::format("SIG{}", name) : base::format("signal {}", signal);
}

}  // namespace planex::drive
