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

// What the files of the shown run say of its device.
struct DeviceFacts {
  std::string name;                 // empty: they don't say; "CPU" tells nothing and is left out
  std::string host_name, host_cpu;  // the machine that ran it
  std::optional<std::int64_t> host_cpu_count;
  bool is_cpu = false;  // the engine is of a kind that runs on a CPU, and names no GPU
  std::string compute_capability;
  std::optional<std::int64_t> sm_count;
  std::optional<double> compute_mhz;
  std::optional<double> memory_mhz, bus_bits;
  std::optional<double> memory_gib;
  std::optional<std::int64_t> threads;  // that one inference runs on, of engines on a CPU
};

DeviceFacts device_facts(const model::PlanModel& model);

struct DeviceLimits {
  std::string name;
  // In words: of the peaks, and of the bandwidth where it is another. Empty where there are none.
  std::string source, bandwidth_source;
  std::string note;
  std::optional<double> bytes_per_s;
  model::Rates matrix_flops_per_s, vector_flops_per_s;
  std::vector<std::string> remarks;  // sentences: what was scaled, derived or left open
};

// What the user can do where there are no limits.
enum class DeviceRemedy : std::uint8_t {
  kNone,
  kName,      // --device: the files don't say which it is, or several are called so
  kProbe,     // measure the processor that it runs on
  kDescribe,  // --devices: a table of one's own
};
std::string_view to_string(DeviceRemedy remedy);

struct DeviceChoice {
  DeviceFacts facts;
  std::optional<DeviceLimits> limits;
  std::string problem, hint;  // where there are none: why, and what to do
  DeviceRemedy remedy = DeviceRemedy::kNone;
};

// Which limits hold for the engine:
//  - the row that `wanted` names, as it stands;
//  - else the row that fits the device's name and number of multiprocessors, its peaks times the
//    clock that the files tell over the clock of the row; of Jetsons, which all have one name and
//    switch off multiprocessors to save power, the row that has what the files tell;
//  - else, of a GPU whose compute capability, multiprocessors and clock the files tell: what its
//    architecture does in a clock (2 · multiprocessors · clock · FMA per multiprocessor and clock);
//  - bandwidth: 2 · memory clock · bus width / 8, where the files tell both (CUDA C++ best
//    practices guide, theoretical bandwidth), else that of the row. Of Jetsons that of the row:
//    what their driver calls the clock and the width of the memory is neither;
//  - peaks of a CPU times the threads that the engine runs on over its processors.
// Errors: kUsage: the table has no device, or several, of the wanted name.
Result<DeviceChoice> choose_device(const model::PlanModel& model, const model::DeviceTable& table,
                                   const std::optional<std::string>& wanted);

}  // namespace planex::analyze
