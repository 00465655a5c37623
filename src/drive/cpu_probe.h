// Measures this machine's peak processor rates and memory bandwidth, in less than a second.
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
  // What other programs used meanwhile, or a hypervisor gave to other machines, as a number of
  // processors; null if the system does not say.
  std::optional<double> other_processors;
  std::vector<CpuPeak> peaks;
};

// Measures on all processors that the process may use. Rates are per second of processor time, so
// that other programs affect them as little as possible. Bandwidth is the best of several passes
// over arrays of four times all last-level caches, but of at most kMaxArrayBytes.
CpuFigures measure_cpu();

// Whether other programs used so much that the rates fall short of what the processor can do: they
// share its caches, its memory and, where two threads share a core, its units. Such figures are not
// peaks.
bool was_disturbed(const CpuFigures& figures);

inline constexpr std::int64_t kMaxArrayBytes = std::int64_t{192} << 20;

// The figures as a device table with one row: planex.devices/1.
std::string device_table_json(const CpuFigures& figures);

// Saves the table of the figures for later runs. If that fails, or the measurement was disturbed,
// nothing is saved and the next run measures again.
void keep_cpu_table(const CpuFigures& figures, const std::string& json);

// Where this machine's table is saved: the name depends on the host, the processor and the number
// of processors. Empty if there is no folder for such files.
std::string cpu_table_file(const Host& host);

}  // namespace planex::drive
