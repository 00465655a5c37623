// Progress of a long command, on standard error: one line on a terminal, erased at the end;
// elsewhere one line per finished phase.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "drive/driver.h"

namespace planex::cli {

class ProgressLine final : public drive::Progress {
 public:
  ProgressLine();
  ~ProgressLine() override;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(std::string_view engine, std::string_view phase, double done) override;

 private:
  void draw(std::string_view engine, double done);
  void clear();

  const bool terminal_;
  std::vector<std::string> finished_;
  std::string phase_;
  std::chrono::steady_clock::time_point phase_start_;
  std::chrono::steady_clock::time_point last_drawn_;
};

// The same for work that reports no steps: counts seconds on a terminal, prints nothing elsewhere.
class WaitingLine {
 public:
  explicit WaitingLine(std::string_view command);
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

  void enter(std::string_view phase);

 private:
  void keep_alive();

  const std::string command_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::string phase_;
  bool is_done_ = false;
  ProgressLine line_;
  std::thread thread_;
};

}  // namespace planex::cli
