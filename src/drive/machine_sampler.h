// Samples the machine while an engine runs on it: clocks, temperatures, power, why clocks are held
// down, and what else uses the processors. Writes NAME.machine.json,
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
  // The folder that contains proc, sys and var; empty: the system's root.
  std::string root;
  const char* nvml_library = kNvmlLibrary;
  // From visible_gpu(); null: no GPU is sampled.
  std::optional<std::string> gpu = std::string();
  std::chrono::milliseconds period{100};
};

// Values of this machine and its environment.
MachineSources machine_sources();

// What holds clocks while the engine runs; null: nothing does, or not the device's.
struct LockedClocks {
  std::optional<std::int64_t> cpu_mhz, gpu_mhz;
};

// Samples in its own thread, starting in the constructor. What the machine does not report is left
// out, so a virtual machine without clocks has little but the load.
class MachineSampler {
 public:
  explicit MachineSampler(const MachineSources& sources);
  MachineSampler(const MachineSampler&) = delete;
  MachineSampler& operator=(const MachineSampler&) = delete;
  ~MachineSampler();

  // A part of the run begins: "time". Repeating the last one has no effect.
  void mark(std::string_view phase);
  // Takes a last sample, ends the thread and returns the text of the file. Call once.
  std::string stop(const LockedClocks& locked);

 private:
  class Recording;
  std::unique_ptr<Recording> recording_;
};

}  // namespace planex::drive
