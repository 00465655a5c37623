#include "analyze/explain/speed.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "ingest/device_table.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::DType;
using model::Family;
using model::LayerId;
using model::PlanModel;

struct LayerFacts {
  const char* name;
  const char* type;
  Family family;
  std::optional<double> ms;
  std::optional<std::int64_t> bytes, flops, macs;
  DType precision = DType::kNull, computes = DType::kNull;
};

PlanModel model_of(const std::vector<LayerFacts>& facts) {
  model::ModelBuilder builder;
  auto& layers = builder.model().layers;
  builder.model().engine.producer.set(0, builder.strings().intern("tensorrt"));
  for (const LayerFacts& fact : facts) {
    const std::size_t row = builder.add_layer(builder.strings().intern(fact.name)).index();
    layers.role.set(row, model::Role::kWork);
    layers.type.set(row, builder.strings().intern(fact.type));
    layers.family.set(row, fact.family);
    layers.median_ms.set(row, fact.ms);
    layers.footprint_bytes.set(row, fact.bytes);
    layers.flops.set(row, fact.flops);
    layers.macs.set(row, fact.macs);
    layers.precision.set(row, fact.precision);
    layers.compute_precision.set(row, fact.computes);
  }
  return builder.finish();
}

// 100 GB/s; FP16 10 TFLOPS on matrix units, 1 on vector units; TF32 5, FP32 0.5.
DeviceChoice device() {
  DeviceChoice choice;
  choice.limits.emplace();
  choice.limits->bytes_per_s = 100e9;
  choice.limits->matrix_flops_per_s.set(DType::kFp16, 10e12);
  choice.limits->matrix_flops_per_s.set(DType::kTf32, 5e12);
  choice.limits->vector_flops_per_s.set(DType::kFp16, 1e12);
  choice.limits->vector_flops_per_s.set(DType::kFp32, 0.5e12);
  return choice;
}

Reconciliation medians(double resolution_us = 0) {
  Reconciliation time;
  time.basis = TimeBasis::kMedian;
  time.resolution_us = resolution_us;
  return time;
}

const SpeedRow& row_of(const SpeedOfLight& speed, std::size_t layer) {
  return *std::ranges::find(speed.rows, LayerId(layer), &SpeedRow::layer);
}

// By hand: conv 2e9 FLOP / 10 TFLOPS = 0.2 ms against 1e7 B / 100 GB/s = 0.1 ms; relu 1e6 / 1
// TFLOPS = 0.001 ms against 0.1 ms; gather by its bytes alone: 0.5 ms.
const std::vector<LayerFacts> kThree = {
    {"conv", "Convolution", Family::kConvolution, 0.5, 10'000'000, 2'000'000'000, 1'000'000'000,
     DType::kFp16, DType::kFp16},
    {"relu", "PointWise", Family::kPointwise, 0.3, 10'000'000, 1'000'000, std::nullopt,
     DType::kFp16},
    {"gather", "Gather", Family::kShuffle, 0.05, 50'000'000, std::nullopt, std::nullopt,
     DType::kFp16},
    {"odd", "Odd", Family::kOther, 0.25, std::nullopt, std::nullopt, std::nullopt}};

TEST(SpeedOfLight, BoundsAreTheGreaterOfBytesAndOperations) {
  const PlanModel model = model_of(kThree);
  const SpeedOfLight speed = speed_of_light(model, medians(), device());
  const SpeedRow& conv = row_of(speed, 0);
  EXPECT_DOUBLE_EQ(*conv.compute_ms, 0.2);
  EXPECT_DOUBLE_EQ(*conv.memory_ms, 0.1);
  EXPECT_EQ(conv.limit, SpeedLimit::kCompute);
  EXPECT_DOUBLE_EQ(*conv.reached, 0.4);
  EXPECT_DOUBLE_EQ(*conv.headroom_ms, 0.3);
  const SpeedRow& relu = row_of(speed, 1);
  EXPECT_DOUBLE_EQ(*relu.compute_ms, 0.001);  // vector units
  EXPECT_EQ(relu.limit, SpeedLimit::kMemory);
  EXPECT_DOUBLE_EQ(*relu.headroom_ms, 0.2);
  EXPECT_EQ(row_of(speed, 3).limit, SpeedLimit::kUnknown);
  EXPECT_FALSE(row_of(speed, 3).bound_ms);
  // Ranked by the time above the limit; unknown ones come last.
  EXPECT_EQ(speed.rows[0].layer, LayerId(0));
  EXPECT_EQ(speed.rows[1].layer, LayerId(1));
  EXPECT_EQ(speed.rows[3].layer, LayerId(3));
}

TEST(SpeedOfLight, FasterThanTheBoundIsToldAndNotClamped) {
  const PlanModel model = model_of(kThree);
  const SpeedOfLight speed = speed_of_light(model, medians(), device());
  EXPECT_DOUBLE_EQ(*row_of(speed, 2).reached, 10);
  EXPECT_DOUBLE_EQ(*row_of(speed, 2).headroom_ms, -0.45);
  EXPECT_EQ(speed.beyond_count, 1);
  EXPECT_DOUBLE_EQ(speed.beyond_ms, 0.45);
}

TEST(SpeedOfLight, SumsClose) {
  const PlanModel model = model_of(kThree);
  const SpeedOfLight speed = speed_of_light(model, medians(), device());
  EXPECT_DOUBLE_EQ(*speed.total.time_ms, 1.1);
  EXPECT_DOUBLE_EQ(*speed.total.bound_ms, 0.8);
  EXPECT_NEAR(*speed.total.headroom_ms, 0.05, 1e-12);
  EXPECT_DOUBLE_EQ(speed.total.unknown_bound_ms, 0.25);
  EXPECT_EQ(speed.total.memory_count, 2);
  EXPECT_EQ(speed.total.compute_count, 1);
  EXPECT_EQ(speed.total.unknown_count, 1);
}

TEST(SpeedOfLight, FloatLayersThatMayComputeInTf32AreHeldAgainstIt) {
  const PlanModel model = model_of({{"a", "Convolution", Family::kConvolution, 1, 1, 5'000'000'000,
                                     2'500'000'000, DType::kFp32, DType::kNull},
                                    {"b", "Convolution", Family::kConvolution, 10, 1, 5'000'000'000,
                                     2'500'000'000, DType::kFp32, DType::kFp32}});
  const SpeedOfLight speed = speed_of_light(model, medians(), device());
  EXPECT_DOUBLE_EQ(*row_of(speed, 0).compute_ms, 1);
  EXPECT_EQ(row_of(speed, 0).rate_evidence, RateEvidence::kAssumed);
  EXPECT_DOUBLE_EQ(*row_of(speed, 1).compute_ms, 10);  // the kernel says FP32
  EXPECT_EQ(row_of(speed, 1).rate_evidence, RateEvidence::kKernel);
}

TEST(SpeedOfLight, WithoutADeviceTheBestOfTheEngineIsTheYardstick) {
  const PlanModel model = model_of({{"fast", "PointWise", Family::kPointwise, 0.1, 10'000'000,
                                     std::nullopt, std::nullopt, DType::kFp16},
                                    {"slow", "PointWise", Family::kPointwise, 0.3, 10'000'000,
                                     std::nullopt, std::nullopt, DType::kFp16},
                                    {"blink", "PointWise", Family::kPointwise, 0.001, 10'000'000,
                                     std::nullopt, std::nullopt, DType::kFp16},
                                    {"gather", "Gather", Family::kShuffle, 0.01, 10'000'000,
                                     std::nullopt, std::nullopt, DType::kFp16}});
  const SpeedOfLight speed = speed_of_light(model, medians(1), {});
  ASSERT_TRUE(speed.best_bytes);
  EXPECT_EQ(speed.best_bytes->layer, LayerId(0));  // not the shuffle, nor one of a single step
  EXPECT_DOUBLE_EQ(speed.best_bytes->per_s, 1e11);
  EXPECT_DOUBLE_EQ(*row_of(speed, 1).observed_headroom_ms, 0.3 - 0.1);
  EXPECT_FALSE(speed.total.bound_ms);
  EXPECT_DOUBLE_EQ(speed.total.unknown_bound_ms, 0.411);
  EXPECT_EQ(speed.rows[0].layer, LayerId(1));
}

TEST(SpeedOfLight, NothingIsClaimedWithoutBytesAndWork) {
  const PlanModel model = model_of({{"hidden weights", "gemm", Family::kGemm, 0.5, std::nullopt,
                                     2'000'000, 1'000'000, DType::kFp16, DType::kFp16},
                                    {"_gemm_mha_v2_myl0_1", "kgen", Family::kOpaque, 0.2, 1'000'000,
                                     std::nullopt, std::nullopt, DType::kFp16},
                                    {"__myl_Relu_myl0_2", "kgen", Family::kOpaque, 0.2, 1'000'000,
                                     std::nullopt, std::nullopt, DType::kFp16}});
  const SpeedOfLight speed = speed_of_light(model, medians(), device());
  for (const std::size_t layer : {0U, 1U}) {
    EXPECT_EQ(row_of(speed, layer).limit, SpeedLimit::kUnknown);
    EXPECT_FALSE(row_of(speed, layer).bound_ms || row_of(speed, layer).headroom_ms);
    EXPECT_FALSE(row_of(speed, layer).observed_bound_ms);
  }
  EXPECT_EQ(row_of(speed, 2).limit, SpeedLimit::kMemory);  // its name lists everything that it does
  EXPECT_DOUBLE_EQ(speed.total.unknown_bound_ms, 0.7);
}

TEST(SpeedOfLight, NoLayerTakesLessThanTheFastest) {
  std::vector<LayerFacts> layers(kMinForFloor, {"tiny", "PointWise", Family::kPointwise, 0.004,
                                                1000, 1000, std::nullopt, DType::kFp16});
  layers[0].ms = 0.003;
  const SpeedOfLight speed = speed_of_light(model_of(layers), medians(), device());
  EXPECT_EQ(speed.floor_ms, 0.003);
  EXPECT_EQ(row_of(speed, 1).limit, SpeedLimit::kLaunch);
  EXPECT_DOUBLE_EQ(*row_of(speed, 1).reached, 0.75);
  EXPECT_DOUBLE_EQ(*row_of(speed, 0).reached, 1);
  EXPECT_EQ(speed.total.launch_count, static_cast<std::int64_t>(kMinForFloor));
  layers.pop_back();
  EXPECT_FALSE(speed_of_light(model_of(layers), medians(), device()).floor_ms);
}

// A quarter of the input's positions, all of the output, the weights.
TEST(SpeedOfLight, StridesOfA1x1ConvolutionLeaveOutWhatTheyPassOver) {
  const auto bytes_of = [](const char* kernel) {
    const PlanModel model = test::must(test::load_texts(base::format(
        R"({{"Layers": [{{"Name": "c", "LayerType": "CaskConvolution",
            "ParameterType": "Convolution", "Kernel": {}, "Stride": [2,2], "Groups": 1,
            "OutMaps": 128, "Weights": {{"Type": "Half", "Count": 8192}},
            "Inputs": [{{"Name": "x", "Dimensions": [1,64,56,56], "Format/Datatype": "Half"}}],
            "Outputs": [{{"Name": "y", "Dimensions": [1,128,28,28], "Format/Datatype": "Half"}}]
            }}], "Bindings": ["x", "y"]}})",
        kernel)));
    return speed_of_light(model, medians(), device()).rows[0].bytes;
  };
  constexpr std::int64_t kInput = 2 * 64 * 56 * 56, kRest = 2 * 128 * 28 * 28 + 2 * 8192;
  EXPECT_EQ(bytes_of("[1,1]"), kInput / 4 + kRest);
  EXPECT_EQ(bytes_of("[1,2]"), kInput / 2 + kRest);
  EXPECT_EQ(bytes_of("[3,3]"), kInput + kRest);
}

model::DeviceTable built_in_table() {
  auto table =
      ingest::read_device_table("data/devices.json", base::make_bytes(ingest::built_in_devices()));
  EXPECT_TRUE(table.has_value());
  return table ? *table : model::DeviceTable();
}

// Datasheets and architecture papers are two sources for one number: multiprocessors · clock · rate
// must give the peak. GeForce boards run at half the rate of their architecture in some types, and
// Hopper's matrix units at a lower clock than the driver reports.
TEST(BuiltInDevices, DatasheetsAgreeWithArchitectures) {
  const model::DeviceTable table = built_in_table();
  EXPECT_GE(table.devices.size(), 25U);
  for (const model::DeviceRow& row : table.devices) {
    EXPECT_FALSE(row.source.empty()) << row.name;
    EXPECT_TRUE(row.bytes_per_s) << row.name;
    const auto architecture = std::ranges::find(table.architectures, row.compute_capability,
                                                &model::ArchitectureRow::compute_capability);
    ASSERT_NE(architecture, table.architectures.end()) << row.name;
    ASSERT_TRUE(row.sm_count && row.boost_mhz) << row.name;
    const double clock = 2 * static_cast<double>(*row.sm_count) * *row.boost_mhz * 1e6;
    const bool is_geforce = row.name.starts_with("GeForce");
    const bool has_two_clocks = row.compute_capability == "9.0" || row.name == "B200";
    for (std::size_t i = 0; i < static_cast<std::size_t>(DType::kNull); ++i) {
      const auto type = static_cast<DType>(i);
      const bool is_halved = is_geforce && (type == DType::kTf32 || type == DType::kBf16);
      const auto check = [&](const model::Rates& rates, const model::Rates& fma, double slack) {
        const auto rate = rates.of(type);
        if (!rate) return;
        ASSERT_TRUE(fma.of(type)) << row.name << " " << model::to_string(type);
        double ratio = *rate / (*fma.of(type) * clock);
        if (is_halved && ratio < 0.75) ratio *= 2;
        EXPECT_NEAR(ratio, 1, slack) << row.name << " " << model::to_string(type);
      };
      check(row.matrix_flops_per_s, architecture->matrix_fma, has_two_clocks ? 0.08 : 0.03);
      check(row.vector_flops_per_s, architecture->vector_fma, 0.03);
    }
  }
}

TEST(SpeedOfRealEngines, SumsCloseAndBoundsAreBelowTimes) {
  PLANEX_NEED_TEST_DATA(data);
  const model::DeviceTable table = built_in_table();
  for (const char* name : test::kReadableEngines) {
    const PlanModel model = test::must(test::load_engine(data, name));
    const Reconciliation time = reconcile(model);
    const auto choice = choose_device(model, table, std::nullopt);
    ASSERT_TRUE(choice) << name;
    const SpeedOfLight speed = speed_of_light(model, time, *choice);
    double sum = 0, grouped = 0;
    for (const SpeedRow& row : speed.rows) sum += row.time_ms.value_or(0);
    for (const SpeedGroup& group : speed.by_type) {
      grouped +=
          group.bound_ms.value_or(0) + group.headroom_ms.value_or(0) + group.unknown_bound_ms;
    }
    EXPECT_NEAR(sum, speed.total.time_ms.value_or(0), 1e-9) << name;
    EXPECT_NEAR(sum, grouped, 1e-9) << name;
  }
}

TEST(SpeedOfRealEngines, DevicesAreFoundFromWhatTheFilesSay) {
  PLANEX_NEED_TEST_DATA(data);
  const model::DeviceTable table = built_in_table();
  const auto limits = [&](const char* name) {
    const PlanModel model = test::must(test::load_engine(data, name));
    return choose_device(model, table, std::nullopt).value_or(DeviceChoice()).limits;
  };
  const auto a100 = limits("resnet18-a100-qat");
  ASSERT_TRUE(a100);
  EXPECT_EQ(a100->name, "A100 80GB PCIe");
  EXPECT_NEAR(*a100->bytes_per_s, 1935e9, 1e9);  // 2 · 1.512 GHz · 5120 bits / 8
  EXPECT_EQ(a100->matrix_flops_per_s.of(DType::kInt8), 624e12);
  EXPECT_EQ(limits("resnet50-rtx3090-fp16")->name, "GeForce RTX 3090");
  EXPECT_EQ(limits("mobilenet-titanrtx-qat")->name, "TITAN RTX");
  EXPECT_EQ(limits("mnist-b200-trt11.0-build-log")->name, "B200");
  // Not in the table: from its architecture.
  const auto laptop = limits("resnet18-trt10-fp16");
  ASSERT_TRUE(laptop);
  EXPECT_NEAR(*laptop->matrix_flops_per_s.of(DType::kFp16), 30 * 1.425e9 * 1024, 1e6);
  EXPECT_NEAR(*laptop->bytes_per_s, 336e9, 1e8);
  EXPECT_FALSE(limits("controlnet-a10-trt8.6"));
}

}  // namespace
}  // namespace planex::analyze
