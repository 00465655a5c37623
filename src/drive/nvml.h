// What planex asks NVIDIA's management library (NVML), which is loaded at run time: a machine
// without it has no NVIDIA GPU to report, or is a Jetson, whose files in /sys report instead
// (machine_sampler.h). Names, types and numbers: NVML API Reference Guide; the interface only
// grows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/dynamic_library.h"

namespace planex::drive {

inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

// nvmlClockType_t
enum class GpuClock : std::uint8_t { kGraphics = 0, kSm = 1, kMemory = 2 };

// One GPU. What it does not report is null or an empty text. Not for several threads at once.
class Nvml {
 public:
  // `gpu`: an index in PCI order, or a UUID; empty: the first one.
  explicit Nvml(const char* library = kNvmlLibrary, const std::string& gpu = {});
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  // Whether there is such a GPU; if not, call nothing else.
  bool has_gpu() const { return device_ != nullptr; }

  std::int64_t gpu_count() const { return gpu_count_; }
  std::optional<std::int64_t> index();
  std::string name();
  std::string uuid();
  std::string driver_version();

  std::optional<std::int64_t> clock_mhz(GpuClock clock);
  std::optional<std::int64_t> max_clock_mhz(GpuClock clock);
  // The clock that the vendor promises under any load; newer GPUs don't report it.
  std::optional<std::int64_t> default_clock_mhz(GpuClock clock);
  std::optional<std::int64_t> temperature_c();
  // The temperature above which the GPU slows itself down.
  std::optional<std::int64_t> slowdown_temperature_c();
  std::optional<double> power_w();
  std::optional<double> power_limit_w();
  std::optional<double> default_power_limit_w();
  std::optional<double> use_ratio();
  // nvmlClocksEventReason*: why the clock is not higher.
  std::optional<std::int64_t> throttle_bits();
  std::optional<std::int64_t> process_count();

  // Holds the graphics clock at this frequency, or releases it. Returns an empty text on success,
  // otherwise the reason.
  std::string lock_clock(std::int64_t mhz);
  std::string unlock_clock();
  // Whether the last of these calls failed for lack of permission.
  bool lacks_rights() const { return lacks_rights_; }

 private:
  struct Device;  // nvmlDevice_t points to it.

  template <typename... Arguments>
  int call(const char* function, Arguments... arguments);
  template <typename... Arguments>
  std::optional<std::int64_t> number(const char* function, Arguments... arguments);
  template <typename... Arguments>
  std::string text(const char* function, Arguments... arguments);
  std::string reason(int code);

  base::DynamicLibrary library_;
  Device* device_ = nullptr;
  std::int64_t gpu_count_ = 0;
  bool is_started_ = false;
  bool lacks_rights_ = false;
};

// The GPU that CUDA calls the first under CUDA_VISIBLE_DEVICES: an index or a UUID; empty if the
// variable is not set, null if it hides all GPUs.
std::optional<std::string> visible_gpu(const char* cuda_visible_devices);

}  // namespace planex::drive
