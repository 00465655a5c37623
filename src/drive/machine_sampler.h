// Looks at the machine while an engine is run on it: clocks, temperatures, power, why clocks are
// held down, and what else takes processors. Writes NAME.machine.json,
// docs/reference/machine-file.md.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "drive/nvml.h"

namespace planex::drive {

struct MachineSources {
  // The folder that has proc, sys and var; empty: the system's own.
  std::string root;
  const char* nvml_library = kNvmlLibrary;
  // As visible_gpu() says; null: no GPU is looked at.
  std::optional<std::string> gpu = std::string();
  std::chrono::milliseconds period{100};
};

// Those of this machine and its environment.
MachineSources machine_sources();

// What holds clocks while the engine runs; null: nothing does, or not that of the device.
struct LockedClocks {
  std::optional<std::int64_t> cpu_mhz, gpu_mhz;
};

// Samples in a thread of its own from the constructor on. What the machine does not say is left
// out, so on a virtual machine without clocks there is little but the load.
class MachineSampler {
 public:
  explicit MachineSampler(const MachineSources& sources);
  MachineSampler(const MachineSampler&) = delete;
  MachineSampler& operator=(const MachineSampler&) = delete;
  ~MachineSampler();

  // A part of the run begins: "time". The same as the last one: nothing happens.
  void mark(std::string_view phase);
  // Takes a last sample and ends the thread; the text of the file. Once.
  std::string stop(const LockedClocks& locked);

 private:
  class Recording;
  std::unique_ptr<Recording> recording_;
};

}  // namespace planex::drive
