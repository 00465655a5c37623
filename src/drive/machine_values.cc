#include "drive/machine_values.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace planex::drive {
namespace {

// The unit of times in /proc: USER_HZ.
double ms_per_tick() { return 1000.0 / static_cast<double>(::sysconf(_SC_CLK_TCK)); }

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t number = 0;
  const std::string_view digits = base::trimmed(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t start = line.find_first_not_of(" \t\n");
    if (start == std::string_view::npos) return words;
    line.remove_prefix(start);
    const std::size_t end = std::min(line.find_first_of(" \t\n"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

double sum_of_ticks(const std::vector<std::string_view>& words, std::size_t first,
                    std::size_t count) {
  double sum = 0;
  for (std::size_t i = first; i < std::min(words.size(), first + count); ++i) {
    sum += static_cast<double>(parse_number(words[i]).value_or(0));
  }
  return sum * ms_per_tick();
}

struct Process {
  std::int64_t parent = 0;
  double ms = 0;
};
// From /proc/PID/stat: man 5 proc_pid_stat.
std::optional<Process> read_process(const std::string& folder) {
  const std::string stat = SystemValue(folder + "/stat").text();
  // The program's name comes before and can contain any character.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  const auto words = words_of(std::string_view(stat).substr(name_end + 1));
  // The 4th, 14th and 15th field; the first word here is the third field.
  constexpr std::size_t kParent = 1, kUserTime = 11;
  if (words.size() <= kUserTime + 1) return std::nullopt;
  return Process{.parent = parse_number(words[kParent]).value_or(0),
                 .ms = sum_of_ticks(words, kUserTime, 2)};
}

// Processor time of this thread: on a busy machine a scan takes long but costs little.
std::chrono::nanoseconds thread_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

std::string system_text(const std::string& path) {
  return std::string(base::trimmed(SystemValue(path).text()));
}

std::optional<std::int64_t> system_number(const std::string& path) {
  return SystemValue(path).number();
}

SystemValue::SystemValue(const std::string& path)
    : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}

SystemValue::SystemValue(SystemValue&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

SystemValue::~SystemValue() {
  if (fd_ >= 0) ::close(fd_);
}

std::string SystemValue::text() const {
  std::array<char, 512> buffer{};
  if (fd_ < 0) return {};
  const ssize_t count = ::pread(fd_, buffer.data(), buffer.size(), 0);
  return count > 0 ? std::string(buffer.data(), static_cast<std::size_t>(count)) : std::string();
}

std::optional<std::int64_t> SystemValue::number() const {
  if (fd_ < 0) return std::nullopt;
  return parse_number(text());
}

std::optional<ProcessorTimes> parse_processor_times(const std::string& stat) {
  const std::string_view line = std::string_view(stat).substr(0, stat.find('\n'));
  const std::vector<std::string_view> words = words_of(line);
  // cpu user nice system idle iowait irq softirq steal; guests are in user and nice.
  if (words.size() < 8 || words[0] != "cpu") return std::nullopt;
  return ProcessorTimes{.busy_ms = sum_of_ticks(words, 1, 3) + sum_of_ticks(words, 6, 2),
                        .stolen_ms = sum_of_ticks(words, 8, 1)};
}

void OwnProcessorTime::look_for_children() {
  // The share of a processor that scans may use.
  constexpr int kShare = 100;
  if (!should_look_.exchange(false) && std::chrono::steady_clock::now() < next_look_) return;
  const std::chrono::nanoseconds start = thread_time();
  std::map<std::int64_t, std::int64_t> parents;
  std::error_code failed;
  for (auto entry = std::filesystem::directory_iterator(proc_, failed);
       !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    const auto process = parse_number(entry->path().filename().string());
    if (!process) continue;
    const auto read = read_process(entry->path().string());
    if (read) parents[*process] = read->parent;
  }
  const auto is_own = [&](std::int64_t process) {
    // Deeper than any process tree: processes may come and go while they are listed.
    for (std::size_t depth = 0; depth < parents.size(); ++depth) {
      if (ms_by_process_.contains(process)) return true;
      const auto parent = parents.find(process);
      if (parent == parents.end()) return false;
      process = parent->second;
    }
    return false;
  };
  ms_by_process_.try_emplace(::getpid(), 0.0);
  for (const auto& [process, parent] : parents) {
    if (is_own(process)) ms_by_process_.try_emplace(process, 0.0);
  }
  next_look_ = std::chrono::steady_clock::now() + kShare * (thread_time() - start);
}

std::optional<double> OwnProcessorTime::read() {
  look_for_children();
  double sum = 0;
  for (auto entry = ms_by_process_.begin(); entry != ms_by_process_.end();) {
    auto& [process, ms] = *entry;
    const auto read = read_process(proc_ + std::to_string(process));
    if (!read && process == ::getpid()) return std::nullopt;
    if (!read) {
      others_ms_ += ms;
      entry = ms_by_process_.erase(entry);
      continue;
    }
    ms = read->ms;
    sum += ms;
    ++entry;
  }
  if (!has_started_) others_ms_ = -sum;
  has_started_ = true;
  return sum + others_ms_;
}

std::vector<std::string> files_below(const std::string& folder, const std::string& rest) {
  std::vector<std::string> found;
  std::error_code failed;
  for (auto entry = std::filesystem::directory_iterator(folder, failed);
       !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    const std::string path = entry->path().string() + "/" + rest;
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) found.push_back(path);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace planex::drive
