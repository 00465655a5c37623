// Measures what this machine's processor can do at most, in less than a second.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drive/cpu_caches.h"
#include "drive/host.h"

namespace planex::drive {

struct CpuPeak {
  std::string type, instructions;
  bool is_matrix = false;
  double operations_per_s = 0;  // of all processors together
};

struct CpuFigures {
  Host host;
  std::int64_t threads = 0;
  double bytes_per_s = 0;      // the faster of triad and reading
  std::string bandwidth_loop;  // "triad" or "read"
  std::int64_t array_bytes = 0;
  std::optional<LastLevelCache> cache;
  // What other programs, and a hypervisor for others, took meanwhile, in processors' worth; null
  // where the system does not say.
  std::optional<double> other_processors;
  std::vector<CpuPeak> peaks;
};

// On all processors that the process may use. Rates are per second of processor time, so that other
// programs lessen them as little as can be; bandwidth is the best of several passes over arrays of
// four times all last-level caches, but of no more than kMaxArrayBytes.
CpuFigures measure_cpu();

// Whether others took so much that rates are less than what the processor can do: they share its
// caches and its memory, and units where two threads share a core. Such figures are no peaks.
bool was_disturbed(const CpuFigures& figures);

inline constexpr std::int64_t kMaxArrayBytes = std::int64_t{192} << 20;

// The figures as a device table of one row: planex.devices/1.
std::string device_table_json(const CpuFigures& figures);

// Keeps the figures' table for later runs; where that can't be done, or they were disturbed,
// nothing is kept, and the next run measures again.
void keep_cpu_table(const CpuFigures& figures, const std::string& json);

// Where the table of this machine is kept: a name that changes with host, processor and number of
// processors. Empty where there is no folder for such files.
std::string cpu_table_file(const Host& host);

}  // namespace planex::drive
