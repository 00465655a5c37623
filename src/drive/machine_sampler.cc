#include "drive/machine_sampler.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/text.h"
#include "drive/json_field.h"
#include "drive/machine_values.h"

namespace planex::drive {
namespace {

// CLOCK_MONOTONIC, which other programs read as well, so a times file can say when its inferences
// began.
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// From this count on, every other sample is dropped and the period doubles: a run of days needs no
// more samples than one of minutes.
constexpr std::size_t kMaxSamples = 20000;
// Reading the clocks of more processors costs more than it is worth.
constexpr std::size_t kMaxClocks = 64;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double or_nothing(std::optional<double> value) { return value.value_or(kNothing); }
double or_nothing(std::optional<std::int64_t> value) {
  return value ? static_cast<double>(*value) : kNothing;
}

void write_number(JsonFileWriter& json, double value, int decimals) {
  if (std::isnan(value)) {
    json.Null();
    return;
  }
  if (decimals == 0) {
    json.Int64(std::llround(value));
    return;
  }
  const double scale = std::pow(10, decimals);
  json.Double(std::round(value * scale) / scale);
}

template <typename Number>
void write_maybe(JsonFileWriter& json, const char* key, const std::optional<Number>& value) {
  json.Key(key);
  write_number(json, or_nothing(value), std::is_integral_v<Number> ? 0 : 3);
}

void write_maybe(JsonFileWriter& json, const char* key, const std::string& value) {
  json.Key(key);
  value.empty() ? static_cast<void>(json.Null()) : write_text(json, value);
}

// How two samples of a column are merged when every other one is dropped.
enum class Merge : std::uint8_t { kLater, kBits };

struct MachineColumn {
  const char* key;
  int decimals;
  std::function<double()> read;
  Merge merge = Merge::kLater;
  std::vector<double> values;
};

std::optional<std::int64_t> mhz_of_khz(std::optional<std::int64_t> khz) {
  constexpr std::int64_t kPerMhz = 1000;
  if (!khz) return std::nullopt;
  return *khz / kPerMhz;
}

// The first sensor of one of these kinds, in thousandths of a degree.
std::string temperature_file(const std::string& root, std::initializer_list<const char*> kinds) {
  for (const char* kind : kinds) {
    for (const std::string& name : files_below(root + "/sys/class/hwmon", "name")) {
      const std::string input = name.substr(0, name.size() - 4) + "temp1_input";
      if (system_text(name) == kind && SystemValue(input).is_there()) return input;
    }
    for (const std::string& type : files_below(root + "/sys/class/thermal", "type")) {
      const std::string input = type.substr(0, type.size() - 4) + "temp";
      if (system_text(type) == kind && SystemValue(input).is_there()) return input;
    }
  }
  return {};
}

// A Jetson's GPU has no usable NVML before JetPack 6, but a file with its clock.
std::string jetson_gpu_clock(const std::string& root) {
  for (const std::string& file : files_below(root + "/sys/class/devfreq", "cur_freq")) {
    for (const char* chip : {"gpu", "gp10b", "gv11b", "ga10b", "gb10b"}) {
      if (file.contains(chip)) return file;
    }
  }
  return {};
}

}  // namespace

class MachineSampler::Recording {
 public:
  explicit Recording(const MachineSources& sources)
      : root_(sources.root), period_(sources.period), origin_(Clock::now()), own_time_(root_) {
    if (sources.gpu) nvml_.emplace(sources.nvml_library, *sources.gpu);
    add_cpu_columns();
    add_gpu_columns();
    take_sample();
    thread_ = std::thread([this] { keep_sampling(); });
  }

  ~Recording() { end_thread(); }

  void mark(std::string_view phase) {
    const std::lock_guard lock(mutex_);
    if (!phases_.empty() && phases_.back().name == phase) return;
    phases_.push_back({std::string(phase), ms_now()});
    own_time_.look_soon();
  }

  std::string stop(const LockedClocks& locked) {
    end_thread();
    take_sample();
    return text(locked);
  }

 private:
  struct Phase {
    std::string name;
    double start_ms;
  };

  double ms_now() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - origin_).count();
  }

  void end_thread() {
    {
      const std::lock_guard lock(mutex_);
      is_ending_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  void keep_sampling() {
    auto next = Clock::now() + period_;
    while (true) {
      {
        std::unique_lock lock(mutex_);
        if (wake_.wait_until(lock, next, [this] { return is_ending_; })) return;
      }
      take_sample();
      if (times_ms_.size() >= kMaxSamples) halve();
      // Time during which the machine was suspended needs no samples.
      next = std::max(next + period_, Clock::now());
    }
  }

  void take_sample() {
    times_ms_.push_back(ms_now());
    read_processors();
    for (MachineColumn& column : columns_) column.values.push_back(column.read());
  }

  void halve() {
    const auto keep_every_other = [](std::vector<double>& values, Merge merge) {
      std::size_t kept = 0;
      for (std::size_t i = 1; i < values.size(); i += 2) {
        const double before = values[i - 1];
        double value = values[i];
        if (merge == Merge::kBits && !std::isnan(before) && !std::isnan(value)) {
          value = static_cast<double>(static_cast<std::int64_t>(before) |
                                      static_cast<std::int64_t>(value));
        }
        values[kept++] = value;
      }
      values.resize(kept);
    };
    keep_every_other(times_ms_, Merge::kLater);
    for (MachineColumn& column : columns_) keep_every_other(column.values, column.merge);
    period_ *= 2;
  }

  void read_processors() {
    const auto now = parse_processor_times(processors_.text());
    if (now && !first_processors_) first_processors_ = now;
    processors_now_ = now;
  }

  void add(const char* key, int decimals, std::function<double()> read,
           Merge merge = Merge::kLater) {
    columns_.push_back({key, decimals, std::move(read), merge, {}});
  }

  // A column with a file's number times `scale`, if there is such a file.
  void add_file(const char* key, int decimals, const std::string& path, double scale) {
    if (path.empty()) return;
    const auto file = std::make_shared<SystemValue>(path);
    if (!file->number()) return;
    add(key, decimals, [file, scale] { return or_nothing(file->number()) * scale; });
  }

  void add_cpu_columns() {
    const std::string cpus = root_ + "/sys/devices/system/cpu";
    auto clocks = std::make_shared<std::vector<SystemValue>>();
    for (const std::string& path : files_below(cpus, "cpufreq/scaling_cur_freq")) {
      if (clocks->size() < kMaxClocks) clocks->emplace_back(path);
    }
    if (!clocks->empty()) {
      // The highest: idle processors are slow, and the busy one changes.
      add("cpu_mhz", 0, [clocks] {
        std::optional<std::int64_t> highest;
        for (const SystemValue& clock : *clocks) highest = std::max(highest, clock.number());
        return or_nothing(mhz_of_khz(highest));
      });
    }
    constexpr double kPerMilli = 1e-3, kPerMicro = 1e-6;
    add_file("cpu_temperature_c", 1,
             temperature_file(root_, {"coretemp", "k10temp", "zenpower", "cpu_thermal",
                                      "x86_pkg_temp", "CPU-therm", "cpu-thermal"}),
             kPerMilli);
    add_file("cpu_throttle_count", 0, cpus + "/cpu0/thermal_throttle/package_throttle_count", 1);
    add_file("cpu_energy_j", 3, root_ + "/sys/class/powercap/intel-rapl:0/energy_uj", kPerMicro);
    if (!parse_processor_times(processors_.text())) return;
    add("cpu_busy_ms", 0, [this] {
      return processors_now_ ? processors_now_->busy_ms - first_processors_->busy_ms : kNothing;
    });
    add("cpu_stolen_ms", 0, [this] {
      return processors_now_ ? processors_now_->stolen_ms - first_processors_->stolen_ms : kNothing;
    });
    add("cpu_own_ms", 0, [this] { return or_nothing(own_time_.read()); });
  }

  void add_gpu_columns() {
    constexpr double kMhzPerHz = 1e-6;
    if (!nvml_ || !nvml_->has_gpu()) {
      add_file("gpu_mhz", 0, jetson_gpu_clock(root_), kMhzPerHz);
      add_file("gpu_temperature_c", 1, temperature_file(root_, {"GPU-therm", "gpu-thermal"}), 1e-3);
      return;
    }
    Nvml& gpu = *nvml_;
    add("gpu_mhz", 0, [&gpu] { return or_nothing(gpu.clock_mhz(GpuClock::kGraphics)); });
    add("gpu_memory_mhz", 0, [&gpu] { return or_nothing(gpu.clock_mhz(GpuClock::kMemory)); });
    add("gpu_temperature_c", 0, [&gpu] { return or_nothing(gpu.temperature_c()); });
    add("gpu_power_w", 1, [&gpu] { return or_nothing(gpu.power_w()); });
    add("gpu_use_ratio", 2, [&gpu] { return or_nothing(gpu.use_ratio()); });
    add("gpu_throttle_bits", 0, [&gpu] { return or_nothing(gpu.throttle_bits()); }, Merge::kBits);
    add("gpu_process_count", 0, [&gpu] { return or_nothing(gpu.process_count()); });
  }

  std::string text(const LockedClocks& locked) {
    rapidjson::StringBuffer buffer;
    JsonFileWriter json(buffer);
    json.SetIndent(' ', 1);
    json.SetFormatOptions(rapidjson::kFormatSingleLineArray);
    json.StartObject();
    write_field(json, "schema", "planex.machine/1");
    json.Key("origin_monotonic_ns");
    json.Int64(std::chrono::duration_cast<nanoseconds>(origin_.time_since_epoch()).count());
    json.Key("period_ms");
    json.Int64(period_.count());
    write_cpu(json);
    write_gpu(json);
    // A Jetson's power mode decides all of its clocks.
    write_maybe(json, "power_mode", jetson_power_mode());
    json.Key("locked");
    json.StartObject();
    write_maybe(json, "cpu_mhz", locked.cpu_mhz);
    write_maybe(json, "gpu_mhz", locked.gpu_mhz);
    json.EndObject();
    json.Key("phases");
    json.StartArray();
    for (const Phase& phase : phases_) {
      json.StartObject();
      write_field(json, "name", phase.name);
      json.Key("start_ms");
      write_number(json, phase.start_ms, 3);
      json.EndObject();
    }
    json.EndArray();
    json.Key("count");
    json.Uint64(times_ms_.size());
    json.Key("columns");
    json.StartObject();
    write_column(json, "time_ms", times_ms_, 3);
    for (const MachineColumn& column : columns_) {
      if (std::ranges::all_of(column.values, [](double value) { return std::isnan(value); })) {
        continue;
      }
      write_column(json, column.key, column.values, column.decimals);
    }
    json.EndObject();
    json.EndObject();
    std::string result(buffer.GetString(), buffer.GetSize());
    result += '\n';
    return result;
  }

  static void write_column(JsonFileWriter& json, const char* key, const std::vector<double>& values,
                           int decimals) {
    json.Key(key);
    json.StartArray();
    for (const double value : values) write_number(json, value, decimals);
    json.EndArray();
  }

  void write_cpu(JsonFileWriter& json) const {
    const std::string cpus = root_ + "/sys/devices/system/cpu/";
    const std::string clock = cpus + "cpu0/cpufreq/";
    json.Key("cpu");
    json.StartObject();
    json.Key("count");
    json.Int64(::sysconf(_SC_NPROCESSORS_ONLN));
    write_maybe(json, "governor", system_text(clock + "scaling_governor"));
    write_maybe(json, "min_mhz", mhz_of_khz(system_number(clock + "scaling_min_freq")));
    write_maybe(json, "max_mhz", mhz_of_khz(system_number(clock + "scaling_max_freq")));
    const auto no_turbo = system_number(cpus + "intel_pstate/no_turbo");
    const auto boost = system_number(cpus + "cpufreq/boost");
    json.Key("may_boost");
    if (no_turbo || boost) {
      json.Bool(no_turbo ? *no_turbo == 0 : *boost != 0);
    } else {
      json.Null();
    }
    json.EndObject();
  }

  void write_gpu(JsonFileWriter& json) {
    json.Key("gpu");
    if (!nvml_ || !nvml_->has_gpu()) {
      json.Null();
      return;
    }
    json.StartObject();
    write_maybe(json, "index", nvml_->index());
    json.Key("count");
    json.Int64(nvml_->gpu_count());
    write_maybe(json, "name", nvml_->name());
    write_maybe(json, "uuid", nvml_->uuid());
    write_maybe(json, "driver_version", nvml_->driver_version());
    write_maybe(json, "max_mhz", nvml_->max_clock_mhz(GpuClock::kGraphics));
    write_maybe(json, "max_memory_mhz", nvml_->max_clock_mhz(GpuClock::kMemory));
    write_maybe(json, "power_limit_w", nvml_->power_limit_w());
    write_maybe(json, "default_power_limit_w", nvml_->default_power_limit_w());
    write_maybe(json, "slowdown_temperature_c", nvml_->slowdown_temperature_c());
    json.EndObject();
  }

  // "pmode:0002" -> "2". Written by nvpmodel.
  std::string jetson_power_mode() const {
    const std::string status = system_text(root_ + "/var/lib/nvpmodel/status");
    const std::size_t digits = status.find_first_of("123456789");
    if (!status.starts_with("pmode:")) return {};
    return digits == std::string::npos ? "0" : status.substr(digits);
  }

  std::string root_;
  milliseconds period_;
  Clock::time_point origin_;
  OwnProcessorTime own_time_;
  SystemValue processors_{root_ + "/proc/stat"};
  std::optional<ProcessorTimes> first_processors_, processors_now_;
  std::optional<Nvml> nvml_;
  std::vector<double> times_ms_;
  std::vector<MachineColumn> columns_;

  std::thread thread_;
  std::mutex mutex_;  // Protects what follows.
  std::condition_variable wake_;
  bool is_ending_ = false;
  std::vector<Phase> phases_;
};

MachineSources machine_sources() {
  MachineSources sources;
  sources.gpu = visible_gpu(std::getenv("CUDA_VISIBLE_DEVICES"));
  return sources;
}

MachineSampler::MachineSampler(const MachineSources& sources)
    : recording_(std::make_unique<Recording>(sources)) {}
MachineSampler::~MachineSampler() = default;

void MachineSampler::mark(std::string_view phase) { recording_->mark(phase); }

std::string MachineSampler::stop(const LockedClocks& locked) { return recording_->stop(locked); }

}  // namespace planex::drive
