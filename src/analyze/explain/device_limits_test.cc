#include "analyze/explain/device_limits.h"

#include <gtest/gtest.h>

#include "model/builder.h"

namespace planex::analyze {
namespace {

using model::DeviceRow;
using model::DeviceTable;
using model::DType;

struct Fact {
  const char* section;
  const char* key;
  const char* value;
};

model::PlanModel model_with(std::string_view device, std::initializer_list<Fact> facts,
                            std::string_view producer = "tensorrt") {
  model::ModelBuilder builder;
  auto& engine = builder.model().engine;
  engine.producer.set(0, builder.strings().intern(producer));
  if (!device.empty()) engine.device.set(0, builder.strings().intern(device));
  for (const Fact& fact : facts) builder.add_metadata(fact.section, fact.key, fact.value, "log");
  return std::move(builder).finish();
}

DeviceTable table() {
  DeviceRow a10{.name = "A10",
                .compute_capability = "8.6",
                .sm_count = 72,
                .boost_mhz = 1695,
                .bytes_per_s = 600e9,
                .source = "datasheet"};
  a10.matrix_flops_per_s.set(DType::kFp16, 125e12);
  DeviceRow big{.name = "AGX Orin 64GB",
                .aliases = {"Orin"},
                .sm_count = 16,
                .boost_mhz = 1300,
                .memory_gib = 64,
                .bytes_per_s = 204.8e9};
  big.matrix_flops_per_s.set(DType::kInt8, 85e12);
  DeviceRow small{.name = "Orin NX 16GB",
                  .aliases = {"Orin"},
                  .sm_count = 8,
                  .boost_mhz = 918,
                  .memory_gib = 16};
  DeviceRow smaller{.name = "Orin Nano 8GB",
                    .aliases = {"Orin"},
                    .sm_count = 8,
                    .boost_mhz = 625,
                    .memory_gib = 8};
  smaller.matrix_flops_per_s.set(DType::kInt8, 20e12);
  DeviceRow xeon{.name = "Xeon 4", .processors = 4, .bytes_per_s = 20e9};
  xeon.vector_flops_per_s.set(DType::kFp32, 400e9);
  model::ArchitectureRow ampere{.compute_capability = "8.6", .name = "Ampere", .source = "paper"};
  ampere.matrix_fma.set(DType::kInt8, 1024);
  return {.devices = {a10, big, small, smaller, xeon}, .architectures = {ampere}};
}

DeviceChoice choose(const model::PlanModel& model) {
  auto choice = choose_device(model, table(), std::nullopt);
  EXPECT_TRUE(choice.has_value());
  return choice ? *choice : DeviceChoice();
}

TEST(DeviceLimits, TakesTheRowOfTheName) {
  const auto choice = choose(model_with("NVIDIA A10", {}));
  ASSERT_TRUE(choice.limits);
  EXPECT_EQ(choice.limits->name, "A10");
  EXPECT_EQ(choice.limits->bytes_per_s, 600e9);
  EXPECT_EQ(choice.limits->matrix_flops_per_s.of(DType::kFp16), 125e12);
  EXPECT_TRUE(choice.limits->remarks.empty());
}

TEST(DeviceLimits, ScalesPeaksByTheClockAndTakesTheMemoryThatTheFilesTell) {
  // 2 · 5 GHz · 384 bits / 8 = 480 GB/s; half the clock is half the peak.
  const auto choice = choose(model_with(
      "NVIDIA A10", {{"device_information", "Compute Clock Rate", "0.8475 GHz"},
                     {"device_information", "Memory Clock Rate", "5.0"},
                     {"device_information", "Memory Bus Width", "384 bits (ECC disabled)"}}));
  ASSERT_TRUE(choice.limits);
  EXPECT_DOUBLE_EQ(*choice.limits->matrix_flops_per_s.of(DType::kFp16), 62.5e12);
  EXPECT_DOUBLE_EQ(*choice.limits->bytes_per_s, 480e9);
  EXPECT_EQ(choice.limits->remarks.size(), 2U);  // the clock, and the table's 600 GB/s
}

TEST(DeviceLimits, DerivesPeaksOfADeviceThatTheTableLacks) {
  // 2 · 30 multiprocessors · 1.425 GHz · 1024 = 87.552 TOPS.
  const auto choice =
      choose(model_with("NVIDIA GeForce RTX 3060 Laptop GPU",
                        {{"device_information", "Compute Capability", "8.6"},
                         {"device_information", "SMs", "30"},
                         {"device_information", "Application Compute Clock Rate", "1.425 GHz"}}));
  ASSERT_TRUE(choice.limits);
  EXPECT_DOUBLE_EQ(*choice.limits->matrix_flops_per_s.of(DType::kInt8), 87.552e12);
  EXPECT_FALSE(choice.limits->bytes_per_s);
  EXPECT_EQ(choice.limits->source, "paper");
}

TEST(DeviceLimits, ReadsWhatPyCudaWrites) {
  const auto choice =
      choose(model_with("NVIDIA A10", {{"device_properties", "CLOCK_RATE", "1695000"},
                                       {"device_properties", "MEMORY_CLOCK_RATE", "6251000"},
                                       {"device_properties", "GLOBAL_MEMORY_BUS_WIDTH", "384"},
                                       {"device_properties", "MULTIPROCESSOR_COUNT", "72"}}));
  ASSERT_TRUE(choice.limits);
  EXPECT_DOUBLE_EQ(*choice.limits->bytes_per_s, 2 * 6251e6 * 48);
  EXPECT_EQ(choice.limits->matrix_flops_per_s.of(DType::kFp16), 125e12);
}

TEST(DeviceLimits, TheNumberOfMultiprocessorsTellsBoardsOfOneNameApart) {
  EXPECT_EQ(choose(model_with("Orin", {{"device_information", "SMs", "16"}})).limits->name,
            "AGX Orin 64GB");
  const auto either = choose(model_with("Orin", {{"device_information", "SMs", "8"}}));
  EXPECT_FALSE(either.limits);
  EXPECT_EQ(either.problem, "Orin matches Orin NX 16GB and Orin Nano 8GB");
}

// An Orin's driver reports a clock and a width of its memory that are neither: 40.8 GB/s of 204.8.
TEST(DeviceLimits, OfJetsonsTheTableKnowsTheMemory) {
  const auto choice = choose(
      model_with("Orin", {{"device_information", "Compute Capability", "8.7"},
                          {"device_information", "SMs", "16"},
                          {"device_information", "Device Global Memory", "30588 MiB"},
                          {"device_information", "Memory Bus Width", "256 bits (ECC disabled)"},
                          {"device_information", "Application Compute Clock Rate", "1.3 GHz"},
                          {"device_information", "Application Memory Clock Rate", "0.6375 GHz"}}));
  ASSERT_TRUE(choice.limits);
  EXPECT_EQ(choice.limits->name, "AGX Orin 64GB");
  EXPECT_EQ(choice.limits->bytes_per_s, 204.8e9);
  EXPECT_TRUE(choice.limits->remarks.empty());
  // No row, no bandwidth.
  const auto unknown = choose(
      model_with("Thor", {{"device_information", "Memory Bus Width", "256 bits (ECC disabled)"},
                          {"device_information", "Memory Clock Rate", "0.6375 GHz"}}));
  EXPECT_FALSE(unknown.limits);
}

TEST(DeviceLimits, AJetsonIsWhatHasTheMemoryAndTheClockThatTheFilesTell) {
  const auto choice =
      choose(model_with("Orin", {{"device_information", "SMs", "4"},
                                 {"device_information", "Compute Clock Rate", "0.625 GHz"},
                                 {"device_information", "Device Global Memory", "7620 MiB"}}));
  ASSERT_TRUE(choice.limits);
  EXPECT_EQ(choice.limits->name, "Orin Nano 8GB");
  EXPECT_DOUBLE_EQ(*choice.limits->matrix_flops_per_s.of(DType::kInt8), 10e12);
  const auto large =
      choose(model_with("Orin", {{"device_information", "SMs", "8"},
                                 {"device_information", "Compute Clock Rate", "0.918 GHz"}}));
  ASSERT_TRUE(large.limits);
  EXPECT_EQ(large.limits->name, "Orin NX 16GB");
}

TEST(DeviceLimits, AnEngineOfOneThreadHasOneProcessor) {
  const auto limits_of = [](const char* section, const char* key, const char* threads) {
    const auto model =
        model_with("CPU", {{"host", "cpu_model", "Xeon 4"}, {section, key, threads}}, "openvino");
    return choose(model).limits;
  };
  const auto one = limits_of("engine", "threads", "1");
  ASSERT_TRUE(one);
  EXPECT_DOUBLE_EQ(*one->vector_flops_per_s.of(DType::kFp32), 100e9);
  EXPECT_EQ(one->bytes_per_s, 20e9);
  EXPECT_EQ(one->remarks.size(), 1U);
  const auto two = limits_of("runtime configuration", "INFERENCE_NUM_THREADS", "2");
  EXPECT_DOUBLE_EQ(*two->vector_flops_per_s.of(DType::kFp32), 200e9);
  const auto all = limits_of("engine", "threads", "8");
  EXPECT_DOUBLE_EQ(*all->vector_flops_per_s.of(DType::kFp32), 400e9);
  EXPECT_TRUE(all->remarks.empty());
}

TEST(DeviceLimits, SaysWhyThereAreNone) {
  EXPECT_NE(choose(model_with("", {})).hint.find("--device A10"), std::string::npos);
  EXPECT_NE(choose(model_with("NVIDIA X1", {})).problem.find("NVIDIA X1"), std::string::npos);
  const auto cpu = choose(model_with("CPU", {{"host", "cpu_model", "Xeon"}}, "openvino"));
  EXPECT_EQ(cpu.problem, "the limits of its CPU, Xeon, are not known");
  EXPECT_NE(cpu.hint.find("planex probe"), std::string::npos);
}

TEST(DeviceLimits, ANameThatTheTableLacksIsAnErrorWithTheNearest) {
  const auto choice = choose_device(model_with("", {}), table(), "A1O");
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::kUsage);
  EXPECT_NE(choice.error().message.find("\"A10\""), std::string::npos) << choice.error().message;
  EXPECT_FALSE(choose_device(model_with("", {}), table(), "orin"));
  EXPECT_EQ((*choose_device(model_with("", {}), table(), "nvidia a10")).limits->name, "A10");
}

}  // namespace
}  // namespace planex::analyze
