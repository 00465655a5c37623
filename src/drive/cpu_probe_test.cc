#include "drive/cpu_probe.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

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
      .cache_bytes = 200'000'000,
      .peaks = {{"FP32", "AVX2 FMA", false, 1.2345e12},
                {"INT8", "VNNI", false, 4e12},
                {"INT8", "AMX", true, 3.2e13}}};
  const std::string json = device_table_json(figures);
  EXPECT_NE(json.find(R"("name": "A \"CPU\"")"), json.npos) << json;
  EXPECT_NE(json.find(R"("memory_gb_per_s": 45.7)"), json.npos) << json;
  EXPECT_NE(json.find(R"("FP32": 1.23)"), json.npos) << json;
  EXPECT_NE(json.find(R"("INT8": 32)"), json.npos) << json;
  EXPECT_NE(json.find("may be that of the cache"), json.npos) << json;
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
