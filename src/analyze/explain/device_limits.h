// The limits of the device that an engine was measured on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/device_table.h"
#include "model/plan_model.h"
#include "planex/error.h"

namespace planex::analyze {

// What the files of the shown run record about its device.
struct DeviceFacts {
  std::string name;                 // empty: not recorded; "CPU" identifies nothing and is left out
  std::string host_name, host_cpu;  // the machine that ran it
  std::optional<std::int64_t> host_cpu_count;
  bool is_cpu = false;  // engines of this kind run on a CPU, and it names no GPU
  std::string compute_capability;
  std::optional<std::int64_t> sm_count;
  std::optional<double> compute_mhz;
  std::optional<double> memory_mhz, bus_bits;
  std::optional<double> memory_gib;
  std::optional<std::int64_t> threads;  // that one inference runs on, for engines on a CPU
};

DeviceFacts device_facts(const model::PlanModel& model);

struct DeviceLimits {
  std::string name;
  // In words: source of the peaks, and of the bandwidth where it differs. Empty where there are
  // none.
  std::string source, bandwidth_source;
  std::string note;
  std::optional<double> bytes_per_s;
  model::Rates matrix_flops_per_s, vector_flops_per_s;
  std::vector<std::string> remarks;  // sentences: what was scaled, derived or left open
};

// What the user can do if there are no limits.
enum class DeviceRemedy : std::uint8_t {
  kNone,
  kName,      // --device: the files don't name the device, or several have that name
  kProbe,     // measure the processor that it runs on
  kDescribe,  // --devices: the user's own table
};
std::string_view to_string(DeviceRemedy remedy);

struct DeviceChoice {
  DeviceFacts facts;
  std::optional<DeviceLimits> limits;
  std::string problem, hint;  // if there are none: why, and what to do
  DeviceRemedy remedy = DeviceRemedy::kNone;
};

// Which limits apply to the engine:
//  - the row that `wanted` names, unchanged;
//  - else the row that fits the device's name and number of multiprocessors, its peaks times the
//    clock in the files over the clock of the row; for Jetsons, which all have one name and
//    switch off multiprocessors to save power, the row that fits the files;
//  - else, for a GPU whose compute capability, multiprocessors and clock are in the files: what its
//    architecture does per clock (2 · multiprocessors · clock · FMA per multiprocessor and clock);
//  - bandwidth: 2 · memory clock · bus width / 8, if the files have both (CUDA C++ best
//    practices guide, theoretical bandwidth), else that of the row. For Jetsons that of the row:
//    what their driver reports as the clock and the width of the memory is neither;
//  - peaks of a CPU times the threads that the engine runs on over its processors.
// Errors: kUsage: no device, or several, in the table have the wanted name.
Result<DeviceChoice> choose_device(const model::PlanModel& model, const model::DeviceTable& table,
                                   const std::optional<std::string>& wanted);

}  // namespace planex::analyze
