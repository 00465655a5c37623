// Numbers that the system tells of its processors, and of a Jetson's GPU, in small files.
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

// The text of such a file without the blanks around it; empty where there is none.
std::string system_text(const std::string& path);
std::optional<std::int64_t> system_number(const std::string& path);

// A file whose number is asked for again and again, kept open: /sys and /proc give the value of
// the moment at each reading.
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

// Time that processors spent, of all of them, since the machine's start.
struct ProcessorTimes {
  double busy_ms = 0;
  // What the hypervisor gave to others while there was work here.
  double stolen_ms = 0;
};
// Of the first line of /proc/stat. Format: man 5 proc_stat.
std::optional<ProcessorTimes> parse_processor_times(const std::string& stat);

// Processor time of this program and of all that it started, and that those started. Kernels need
// not list children, so all processes are looked through, at most for a hundredth of a processor;
// one that lived shorter than from one look to the next is missed.
class OwnProcessorTime {
 public:
  // `root`: the folder that has proc.
  explicit OwnProcessorTime(std::string root) : proc_(std::move(root) + "/proc/") {}
  // Since the first call, in ms; null where the system does not say.
  std::optional<double> read();
  // The next read() looks for children in any case: one may have begun. Of any thread.
  void look_soon() { should_look_ = true; }

 private:
  void look_for_children();

  std::string proc_;
  std::map<std::int64_t, double> ms_by_process_;
  // Of processes that have ended, and of those before the first call, which is less than nothing.
  double others_ms_ = 0;
  bool has_started_ = false;
  std::chrono::steady_clock::time_point next_look_;
  std::atomic<bool> should_look_{false};
};

// Files that exist, of `folder`/*/`rest`, in the order of their names.
std::vector<std::string> files_below(const std::string& folder, const std::string& rest);

}  // namespace planex::drive
