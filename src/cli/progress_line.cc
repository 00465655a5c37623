#include "cli/progress_line.h"

#include <unistd.h>

#include <cstdio>

#include "base/text.h"

namespace planex::cli {
namespace {

using base::format;
using std::chrono::steady_clock;

// Faster than people read.
constexpr auto kRedrawAfter = std::chrono::milliseconds(80);

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (terminal_) print("\r\x1b[K");
}

void ProgressLine::update(std::string_view engine, std::string_view phase, double done) {
  if (phase != phase_) {
    if (!phase_.empty()) {
      finished_.push_back(format("{} {:.1f} s", phase_, seconds_since(phase_start_)));
      if (!terminal_) print(format("{}: {}\n", engine, finished_.back()));
    }
    phase_ = phase;
    phase_start_ = steady_clock::now();
    last_drawn_ = {};
  }
  if (terminal_) draw(engine, done);
}

void ProgressLine::draw(std::string_view engine, double done) {
  const auto now = steady_clock::now();
  if (now - last_drawn_ < kRedrawAfter) return;
  last_drawn_ = now;
  std::string line = format("\r\x1b[K{}  ", engine);
  for (const std::string& finished : finished_) line += finished + " ▸ ";
  line += phase_;
  if (done > 0) {
    const double elapsed = seconds_since(phase_start_);
    const auto left = static_cast<int>(elapsed / done * (1 - done) + 0.5);
    line += format(" {:.0f} %", done * 100);
    if (done > 0.05 && elapsed > 1) line += format(" {}:{:02} left", left / 60, left % 60);
  } else if (const double elapsed = seconds_since(phase_start_); elapsed >= 1) {
    line += format(" {:.0f} s", elapsed);
  }
  print(line);
}

WaitingLine::WaitingLine(std::string_view command) : command_(command) {
  if (::isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { keep_alive(); });
}

WaitingLine::~WaitingLine() {
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void WaitingLine::enter(std::string_view phase) {
  const std::lock_guard lock(mutex_);
  phase_ = phase;
  if (thread_.joinable()) line_.update(command_, phase_, 0);
}

void WaitingLine::keep_alive() {
  constexpr auto kBeat = std::chrono::milliseconds(500);
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kBeat, [this] { return is_done_; })) {
    if (!phase_.empty()) line_.update(command_, phase_, 0);
  }
}

}  // namespace planex::cli
