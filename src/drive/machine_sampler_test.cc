#include "drive/machine_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include "drive/machine_values.h"
#include "drive/test_support.h"

namespace planex::drive {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// A machine whose files are in a folder.
class Machine {
 public:
  void set(const std::string& path, const std::string& value) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.path(path)).parent_path());
    static_cast<void>(folder_.write(path, value + "\n"));
  }
  MachineSources sources() const {
    return {.root = folder_.path(),
            .nvml_library = "libthere-is-none.so",
            .gpu = "",
            .period = std::chrono::milliseconds(5)};
  }

 private:
  TemporaryFolder folder_;
};

struct File {
  simdjson::dom::parser parser;
  simdjson::dom::element json;

  explicit File(const std::string& text) { json = parser.parse(text); }
  std::vector<double> column(const char* name) {
    std::vector<double> values;
    simdjson::dom::array list;
    if (json["columns"][name].get(list) != simdjson::SUCCESS) return values;
    for (const simdjson::dom::element& item : list) {
      values.push_back(item.is_null() ? std::nan("") : item.get_double().value());
    }
    return values;
  }
};

TEST(MachineSampler, ReadsProcessors) {
  const Machine machine;
  const std::string cpus = "sys/devices/system/cpu/";
  machine.set(cpus + "cpu0/cpufreq/scaling_cur_freq", "1200000");
  machine.set(cpus + "cpu1/cpufreq/scaling_cur_freq", "3400000");
  machine.set(cpus + "cpu0/cpufreq/scaling_governor", "powersave");
  machine.set(cpus + "cpu0/cpufreq/scaling_min_freq", "800000");
  machine.set(cpus + "cpu0/cpufreq/scaling_max_freq", "3500000");
  machine.set(cpus + "intel_pstate/no_turbo", "0");
  machine.set("sys/class/hwmon/hwmon0/name", "nvme");
  machine.set("sys/class/hwmon/hwmon0/temp1_input", "30000");
  machine.set("sys/class/hwmon/hwmon1/name", "coretemp");
  machine.set("sys/class/hwmon/hwmon1/temp1_input", "61500");
  machine.set("proc/stat", "cpu  100 0 100 5000 0 0 0 50 0 0");
  MachineSampler sampler(machine.sources());
  machine.set("proc/stat", "cpu  160 10 110 5500 9 1 2 70 5 5");
  File file(sampler.stop({}));
  EXPECT_EQ(std::string_view(file.json["schema"]), "planex.machine/1");
  EXPECT_EQ(std::string_view(file.json["cpu"]["governor"]), "powersave");
  EXPECT_EQ(std::int64_t(file.json["cpu"]["max_mhz"]), 3500);
  EXPECT_TRUE(bool(file.json["cpu"]["may_boost"]));
  EXPECT_TRUE(file.json["gpu"].is_null());
  EXPECT_TRUE(file.json["locked"]["cpu_mhz"].is_null());
  const auto times = file.column("time_ms");
  ASSERT_GE(times.size(), 2u);
  EXPECT_EQ(std::uint64_t(file.json["count"]), times.size());
  EXPECT_THAT(file.column("cpu_mhz"), Each(3400.0));
  EXPECT_THAT(file.column("cpu_temperature_c"), Each(61.5));
  // 60 + 10 + 10 + 1 + 2 ticks of 10 ms; guests are in the first two.
  EXPECT_EQ(file.column("cpu_busy_ms").front(), 0);
  EXPECT_EQ(file.column("cpu_busy_ms").back(), 830);
  EXPECT_EQ(file.column("cpu_stolen_ms").back(), 200);
  EXPECT_EQ(file.column("gpu_mhz"), std::vector<double>{});
}

TEST(MachineSampler, ReadsAJetson) {
  const Machine machine;
  machine.set("sys/class/devfreq/17000000.ga10b/cur_freq", "612000000");
  machine.set("sys/class/thermal/thermal_zone1/type", "gpu-thermal");
  machine.set("sys/class/thermal/thermal_zone1/temp", "55250");
  machine.set("var/lib/nvpmodel/status", "pmode:0002");
  MachineSampler sampler(machine.sources());
  File file(sampler.stop({}));
  EXPECT_EQ(std::string_view(file.json["power_mode"]), "2");
  EXPECT_THAT(file.column("gpu_mhz"), Each(612.0));
  EXPECT_THAT(file.column("gpu_temperature_c"), Each(55.3));
}

TEST(MachineSampler, SaysNothingOfAMachineThatTellsNothing) {
  const Machine machine;
  MachineSampler sampler(machine.sources());
  File file(sampler.stop({}));
  EXPECT_THAT(simdjson::dom::object(file.json["columns"]), SizeIs(1));
  EXPECT_TRUE(file.json["cpu"]["governor"].is_null());
  EXPECT_TRUE(file.json["power_mode"].is_null());
}

TEST(MachineSampler, ReplaysAGpu) {
  const TemporaryFolder folder;
  const std::string replay =
      folder.write("replay", "1410 6251 60 149000 99 0 1\n1110 6251 84 150000 98 36 2\n");
  ::setenv("PLANEX_NVML_REPLAY", replay.c_str(), 1);
  const Machine machine;
  MachineSources sources = machine.sources();
  sources.nvml_library = PLANEX_NVML_STAND_IN;
  MachineSampler sampler(sources);
  sampler.mark("warmup");
  sampler.mark("time");
  sampler.mark("time");
  File file(sampler.stop({.cpu_mhz = {}, .gpu_mhz = 1410}));
  ::unsetenv("PLANEX_NVML_REPLAY");
  EXPECT_EQ(std::string_view(file.json["gpu"]["name"]), "NVIDIA A10");
  EXPECT_EQ(std::string_view(file.json["gpu"]["driver_version"]), "560.35.03");
  EXPECT_EQ(double(file.json["gpu"]["power_limit_w"]), 150);
  EXPECT_EQ(std::int64_t(file.json["gpu"]["slowdown_temperature_c"]), 94);
  EXPECT_EQ(std::int64_t(file.json["locked"]["gpu_mhz"]), 1410);
  ASSERT_EQ(simdjson::dom::array(file.json["phases"]).size(), 2u);
  EXPECT_EQ(std::string_view(file.json["phases"].at(1)["name"]), "time");
  EXPECT_EQ(file.column("gpu_mhz").front(), 1410);
  EXPECT_EQ(file.column("gpu_mhz").back(), 1110);
  EXPECT_EQ(file.column("gpu_power_w").front(), 149);
  EXPECT_EQ(file.column("gpu_use_ratio").back(), 0.98);
  EXPECT_EQ(file.column("gpu_throttle_bits").back(), 36);
  EXPECT_EQ(file.column("gpu_process_count").back(), 2);
}

// The origin uses the clock that all programs of the machine share, and the load is this program's.
TEST(MachineSampler, ThisMachine) {
  MachineSources sources = machine_sources();
  sources.period = std::chrono::milliseconds(10);
  timespec before{};
  ::clock_gettime(CLOCK_MONOTONIC, &before);
  MachineSampler sampler(sources);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < end) {
  }
  File file(sampler.stop({}));
  const double start =
      static_cast<double>(before.tv_sec) * 1e9 + static_cast<double>(before.tv_nsec);
  EXPECT_NEAR(double(std::int64_t(file.json["origin_monotonic_ns"])), start, 1e9);
  const auto own = file.column("cpu_own_ms");
  ASSERT_FALSE(own.empty());
  EXPECT_GT(own.back(), 0);
  EXPECT_LE(own.back(), file.column("cpu_busy_ms").back() + 200);
}

TEST(MachineValues, OwnTimeHasThatOfChildren) {
  OwnProcessorTime time("");
  ASSERT_EQ(time.read(), 0.0);
  const pid_t child = ::fork();
  if (child == 0) {
    for (volatile bool goes_on = true; goes_on;) {
    }
  }
  double beyond_own_ms = 0;
  for (int i = 0; i < 3000 && beyond_own_ms < 100; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    rusage own{};
    ::getrusage(RUSAGE_SELF, &own);
    const auto own_us = (own.ru_utime.tv_sec + own.ru_stime.tv_sec) * 1'000'000 +
                        own.ru_utime.tv_usec + own.ru_stime.tv_usec;
    beyond_own_ms = time.read().value_or(0) - static_cast<double>(own_us) / 1e3;
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_GE(beyond_own_ms, 100);
  // Processes that have ended still count.
  EXPECT_GE(time.read().value_or(0), 100);
}

TEST(MachineValues, ProcessorTimes) {
  EXPECT_FALSE(parse_processor_times(""));
  EXPECT_FALSE(parse_processor_times("cpu0 1 2 3 4 5 6 7 8"));
  EXPECT_FALSE(parse_processor_times("cpu 1 2 3"));
  const auto old_kernel = parse_processor_times("cpu 1 2 3 4 5 6 7\ncpu0 9");
  ASSERT_TRUE(old_kernel);
  EXPECT_EQ(old_kernel->stolen_ms, 0);
}

TEST(Nvml, VisibleGpu) {
  EXPECT_EQ(visible_gpu(nullptr), "");
  EXPECT_EQ(visible_gpu("2,0"), "2");
  EXPECT_EQ(visible_gpu("GPU-7,1"), "GPU-7");
  EXPECT_FALSE(visible_gpu(""));
  EXPECT_FALSE(visible_gpu("-1"));
}

}  // namespace
}  // namespace planex::drive
