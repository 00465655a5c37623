#include "drive/nvml.h"

#include <array>
#include <charconv>
#include <string_view>

#include "base/text.h"

namespace planex::drive {
namespace {

// nvmlReturn_t
constexpr int kSuccess = 0;
constexpr int kNoPermission = 4;
constexpr int kInsufficientSize = 7;
// Not an NVML code: the library is older than the function.
constexpr int kNoFunction = -1;

constexpr int kGpuSensor = 0;          // NVML_TEMPERATURE_GPU
constexpr int kSlowdownThreshold = 1;  // NVML_TEMPERATURE_THRESHOLD_SLOWDOWN

// nvmlUtilization_t, in percent.
struct Utilization {
  unsigned gpu = 0;
  unsigned memory = 0;
};

std::optional<unsigned> number_of(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> watts(std::optional<std::int64_t> milliwatts) {
  constexpr double kPerWatt = 1000;
  if (!milliwatts) return std::nullopt;
  return static_cast<double>(*milliwatts) / kPerWatt;
}

}  // namespace

template <typename... Arguments>
int Nvml::call(const char* function, Arguments... arguments) {
  void* const found = library_.find(function);
  if (found == nullptr) return kNoFunction;
  return reinterpret_cast<int (*)(Arguments...)>(found)(arguments...);
}

template <typename... Arguments>
std::optional<std::int64_t> Nvml::number(const char* function, Arguments... arguments) {
  unsigned value = 0;
  if (call(function, device_, arguments..., &value) != kSuccess) return std::nullopt;
  return value;
}

template <typename... Arguments>
std::string Nvml::text(const char* function, Arguments... arguments) {
  std::array<char, 128> buffer{};  // The longest of NVML's own buffer sizes is 96.
  const auto size = static_cast<unsigned>(buffer.size());
  if (call(function, arguments..., buffer.data(), size) != kSuccess) return {};
  buffer.back() = '\0';
  return buffer.data();
}

Nvml::Nvml(const char* library, const std::string& gpu) : library_(library) {
  if (call("nvmlInit_v2") != kSuccess) return;
  is_started_ = true;
  unsigned count = 0;
  if (call("nvmlDeviceGetCount_v2", &count) == kSuccess) gpu_count_ = count;
  Device* device = nullptr;
  const auto index = gpu.empty() ? std::optional(0U) : number_of(gpu);
  const int code = index ? call("nvmlDeviceGetHandleByIndex_v2", *index, &device)
                         : call("nvmlDeviceGetHandleByUUID", gpu.c_str(), &device);
  if (code == kSuccess) device_ = device;
}

Nvml::~Nvml() {
  if (is_started_) call("nvmlShutdown");
}

std::optional<std::int64_t> Nvml::index() { return number("nvmlDeviceGetIndex"); }
std::string Nvml::name() { return text("nvmlDeviceGetName", device_); }
std::string Nvml::uuid() { return text("nvmlDeviceGetUUID", device_); }
std::string Nvml::driver_version() { return text("nvmlSystemGetDriverVersion"); }

std::optional<std::int64_t> Nvml::clock_mhz(GpuClock clock) {
  return number("nvmlDeviceGetClockInfo", static_cast<int>(clock));
}
std::optional<std::int64_t> Nvml::max_clock_mhz(GpuClock clock) {
  return number("nvmlDeviceGetMaxClockInfo", static_cast<int>(clock));
}
std::optional<std::int64_t> Nvml::default_clock_mhz(GpuClock clock) {
  return number("nvmlDeviceGetDefaultApplicationsClock", static_cast<int>(clock));
}
std::optional<std::int64_t> Nvml::temperature_c() {
  return number("nvmlDeviceGetTemperature", kGpuSensor);
}
std::optional<std::int64_t> Nvml::slowdown_temperature_c() {
  return number("nvmlDeviceGetTemperatureThreshold", kSlowdownThreshold);
}
std::optional<double> Nvml::power_w() { return watts(number("nvmlDeviceGetPowerUsage")); }
std::optional<double> Nvml::power_limit_w() {
  return watts(number("nvmlDeviceGetEnforcedPowerLimit"));
}
std::optional<double> Nvml::default_power_limit_w() {
  return watts(number("nvmlDeviceGetPowerManagementDefaultLimit"));
}

std::optional<double> Nvml::use_ratio() {
  Utilization use;
  if (call("nvmlDeviceGetUtilizationRates", device_, &use) != kSuccess) return std::nullopt;
  return use.gpu / 100.0;
}

std::optional<std::int64_t> Nvml::throttle_bits() {
  unsigned long long bits = 0;  // NOLINT(google-runtime-int): the interface's own type
  // The older name still exists, but a new major version may drop it.
  for (const char* name :
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
    if (call(name, device_, &bits) == kSuccess) return static_cast<std::int64_t>(bits);
  }
  return std::nullopt;
}

std::optional<std::int64_t> Nvml::process_count() {
  unsigned count = 0;
  void* const no_list = nullptr;
  const int code = call("nvmlDeviceGetComputeRunningProcesses_v3", device_, &count, no_list);
  if (code != kSuccess && code != kInsufficientSize) return std::nullopt;
  return count;
}

std::string Nvml::lock_clock(std::int64_t mhz) {
  const auto clock = static_cast<unsigned>(mhz);
  return reason(call("nvmlDeviceSetGpuLockedClocks", device_, clock, clock));
}

std::string Nvml::unlock_clock() { return reason(call("nvmlDeviceResetGpuLockedClocks", device_)); }

std::string Nvml::reason(int code) {
  lacks_rights_ = code == kNoPermission;
  if (code == kSuccess) return {};
  if (code == kNoFunction) return "the driver is too old for this";
  void* const found = library_.find("nvmlErrorString");
  if (found == nullptr) return base::format("NVML error {}", code);
  return reinterpret_cast<const char* (*)(int)>(found)(code);
}

std::optional<std::string> visible_gpu(const char* cuda_visible_devices) {
  if (cuda_visible_devices == nullptr) return std::string();
  const std::string_view list = cuda_visible_devices;
  const std::string_view first = base::trimmed(list.substr(0, list.find(',')));
  // CUDA ends the list at the first entry that does not name a device.
  if (first.empty() || first.starts_with('-') || first == "NoDevFiles") return std::nullopt;
  return std::string(first);
}

}  // namespace planex::drive
