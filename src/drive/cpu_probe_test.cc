#include "drive/cpu_probe.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "drive/cpu_kernels.h"

namespace planex::drive {
namespace {

TEST(CpuKernels, EachRunsAndTellsWhatItDoes) {
  std::set<std::string> types;
  for (const PeakKernel& kernel : peak_kernels()) {
    kernel.run(16);
    EXPECT_GT(kernel.operations_per_round, 0) << kernel.instructions;
    types.insert(std::string(kernel.type));
  }
  EXPECT_TRUE(types.contains("FP32"));
}

TEST(CpuKernels, LoopsOverMemoryComputeWhatTheySay) {
  std::vector<double> a(100), b(100, 2), c(100, 5);
  triad(a, b, c);
  EXPECT_EQ(a.front(), 17);
  EXPECT_EQ(a.back(), 17);
  EXPECT_EQ(sum_of(a), 1700);
}

TEST(CpuProbe, WritesOneRowWithTypesInTheirPlace) {
  const CpuFigures figures{
      .host = {.name = "box", .system = "", .cpu_model = "A \"CPU\"", .cpu_count = 4},
      .threads = 4,
      .bytes_per_s = 45'678'901'234,
      .bandwidth_loop = "read",
      .array_bytes = 100'000'000,
      .cache = LastLevelCache{.bytes = 50'000'000, .all_bytes = 200'000'000},
      .peaks = {{"FP32", "AVX2 FMA", false, 1.2345e12},
                {"INT8", "VNNI", false, 4e12},
                {"INT8", "AMX", true, 3.2e13}}};
  const std::string json = device_table_json(figures);
  EXPECT_NE(json.find(R"("name": "A \"CPU\"")"), json.npos) << json;
  EXPECT_NE(json.find(R"("memory_gb_per_s": 45.7)"), json.npos) << json;
  EXPECT_NE(json.find(R"("FP32": 1.23)"), json.npos) << json;
  EXPECT_NE(json.find(R"("INT8": 32)"), json.npos) << json;
  EXPECT_NE(json.find("may be that of the cache"), json.npos) << json;
  EXPECT_EQ(json.find("other programs"), json.npos) << json;
}

// Figures measured beside other programs are not peaks: the table says so, and is not kept.
TEST(CpuProbe, OfABusyMachineSaysSo) {
  const std::string folder = testing::TempDir() + "planex_cpu_probe";
  std::filesystem::remove_all(folder);
  ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  CpuFigures figures{.host = {.name = "box", .system = "", .cpu_model = "CPU", .cpu_count = 2},
                     .threads = 2,
                     .bytes_per_s = 1e10,
                     .bandwidth_loop = "read",
                     .array_bytes = 100'000'000,
                     .other_processors = 1.7};
  EXPECT_TRUE(was_disturbed(figures));
  const std::string json = device_table_json(figures);
  EXPECT_NE(json.find("other programs used 1.7 of 2 processors"), json.npos) << json;
  const std::string file = cpu_table_file(figures.host);
  keep_cpu_table(figures, json);
  EXPECT_FALSE(std::filesystem::exists(file));
  for (const std::optional<double> quiet : {std::optional<double>(), std::optional(0.1)}) {
    figures.other_processors = quiet;
    EXPECT_FALSE(was_disturbed(figures));
    keep_cpu_table(figures, device_table_json(figures));
    EXPECT_TRUE(std::filesystem::exists(file));
    std::filesystem::remove_all(folder);
  }
}

TEST(CpuProbe, TheKeptFileIsOfThisHostAndProcessor) {
  ::setenv("XDG_CACHE_HOME", "/tmp/cache", 1);
  EXPECT_EQ(
      cpu_table_file({.name = "box/..", .system = "", .cpu_model = "Xeon(R) 8", .cpu_count = 2}),
      "/tmp/cache/planex/cpu-box-Xeon-R-8-2.devices.json");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(cpu_table_file({.name = "a", .system = "", .cpu_model = "", .cpu_count = 1}),
            "/home/me/.cache/planex/cpu-a-1.devices.json");
  ::unsetenv("HOME");
  EXPECT_EQ(cpu_table_file({.name = "a", .system = "", .cpu_model = "", .cpu_count = 1}), "");
}

}  // namespace
}  // namespace planex::drive
