// Numbers that the system reports about its processors, and about a Jetson's GPU, in small files.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace planex::drive {

// The text of such a file without surrounding blanks; empty if there is none.
std::string system_text(const std::string& path);
std::optional<std::int64_t> system_number(const std::string& path);

// A file whose number is read again and again, kept open: /sys and /proc return the current value
// on each read.
class SystemValue {
 public:
  explicit SystemValue(const std::string& path);
  SystemValue(SystemValue&& other) noexcept;
  SystemValue& operator=(SystemValue&&) = delete;
  ~SystemValue();

  bool is_there() const { return fd_ >= 0; }
  // The first 255 characters.
  std::string text() const;
  std::optional<std::int64_t> number() const;

 private:
  int fd_;
};

// Time that all processors spent since the machine started.
struct ProcessorTimes {
  double busy_ms = 0;
  // What the hypervisor gave to other machines while there was work here.
  double stolen_ms = 0;
};
// From the first line of /proc/stat. Format: man 5 proc_stat.
std::optional<ProcessorTimes> parse_processor_times(const std::string& stat);

// Processor time of this program and of all its descendants. Kernels need not list children, so all
// processes are scanned, for at most a hundredth of a processor. A process that lives for less than
// the time between two scans is missed.
class OwnProcessorTime {
 public:
  // `root`: the folder that contains proc.
  explicit OwnProcessorTime(std::string root) : proc_(std::move(root) + "/proc/") {}
  // Since the first call, in ms; null if the system does not say.
  std::optional<double> read();
  // The next read() scans for children in any case: one may have started. Callable from any thread.
  void look_soon() { should_look_ = true; }

 private:
  void look_for_children();

  std::string proc_;
  std::map<std::int64_t, double> ms_by_process_;
  // Of processes that have ended, minus the time before the first call; negative at first.
  double others_ms_ = 0;
  bool has_started_ = false;
  std::chrono::steady_clock::time_point next_look_;
  std::atomic<bool> should_look_{false};
};

// Files that exist, of `folder`/*/`rest`, sorted by name.
std::vector<std::string> files_below(const std::string& folder, const std::string& rest);

}  // namespace planex::drive
