// Where TREx is wrong and planex must differ: the differences are there, by their value. And what
// TREx could not read at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/summary/summary.h"
#include "base/files.h"
#include "expected/trex_set.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

using model::Family;
using model::PlanModel;

// The figures of section 4 by their value: ours are those, and TREx's are not.
struct StatedDifference {
  const char* set;
  std::int64_t conv_macs, trex_conv_macs, weight_bytes, trex_weight_bytes;
};

TEST(StatedDifferences, AreThere) {
  PLANEX_NEED_TEST_DATA(data);
  for (const StatedDifference& stated :
       {StatedDifference{"resnet18-a100-qat-residual", 58'050'347'008, 54'273'900'544, 11'702'112,
                         11'669'504},
        StatedDifference{"resnet18-a100-qat-residual-qgap", 58'050'347'008, 54'273'900'544,
                         11'702'112, 11'669'504},
        StatedDifference{"depth-anything-v2-rtx30-trt10", 11'246'136'960, 11'145'203'328, 3'114'404,
                         3'103'776}}) {
    SCOPED_TRACE(stated.set);
    dom::parser parser;
    dom::element expected;
    ASSERT_EQ(parser.load(data + "/expected/" + std::string(stated.set) + ".json").get(expected),
              simdjson::SUCCESS);
    EXPECT_EQ(std::int64_t(expected["conv_totals"]["macs"]), stated.trex_conv_macs);
    EXPECT_EQ(std::int64_t(expected["totals"]["weights_bytes"]), stated.trex_weight_bytes);
    const PlanModel model = must(load_engine(data, stated.set));
    std::int64_t macs = 0;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (model.layers.family[row] == Family::kConvolution) macs += model.layers.macs[row];
    }
    EXPECT_EQ(macs, stated.conv_macs);
    EXPECT_EQ(analyze::summarize(model).weight_bytes, stated.weight_bytes);
  }
}

// One network by seven builds: it computes the same in all of them, whatever their layers are
// called and their types. The last writes its classifier as a multiplication and a sum.
TEST(StatedDifferences, ResNet18IsTheSameWorkInEveryBuild) {
  PLANEX_NEED_TEST_DATA(data);
  constexpr std::int64_t kPerImage = 1'814'073'344;
  for (const auto& [set, images] :
       {std::pair("resnet18-a100-fp32", 32), std::pair("resnet18-a100-fp16", 32),
        std::pair("resnet18-a100-qat", 32), std::pair("resnet18-a100-qat-residual", 32),
        std::pair("resnet18-a100-qat-residual-qgap", 32), std::pair("resnet18-trt10-fp16", 1)}) {
    SCOPED_TRACE(set);
    const PlanModel model = must(load_engine(data, set));
    EXPECT_EQ(model.engine.batch_size.get(0), images);
    const analyze::Summary summary = analyze::summarize(model);
    EXPECT_EQ(summary.macs, kPerImage * images);
    EXPECT_EQ(summary.layers_without_flops, 0);
  }
}

// A vision transformer of 12 blocks whose matrix products have neither parameters nor, in the file,
// weights: by their shapes.
TEST(StatedDifferences, MatrixProductsAreCounted) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = must(load_engine(data, "depth-anything-v2-rtx30-trt10"));
  std::map<std::string, std::int64_t, std::less<>> macs;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.text(model.layers.work_evidence[row]) != "shapes") continue;
    macs[std::string(model.text(model.layers.type[row]))] += model.layers.macs.get(row).value_or(0);
  }
  constexpr std::int64_t kBlocks = 12, kTokens = 1370, kWidth = 384, kHeads = 6, kHeadWidth = 64;
  // Q, K, V and the projection; then the second of two layers four times as wide.
  EXPECT_EQ(macs["gemm"], kBlocks * kTokens * kWidth * (3 * kWidth + kWidth + 4 * kWidth));
  EXPECT_EQ(macs["fusion"], kBlocks * kTokens * kWidth * 4 * kWidth);
  EXPECT_EQ(macs["attention (kgen)"], kBlocks * kHeads * kTokens * kTokens * 2 * kHeadWidth);
}

dom::element load_expected(dom::parser& parser, const std::string& data, const std::string& set) {
  dom::element expected;
  EXPECT_EQ(parser.load(data + "/expected/" + set + ".json").get(expected), simdjson::SUCCESS);
  return expected;
}

// The first convolution is fused with its pooling: 64 filters of 3 x 7 x 7 in INT8.
TEST(StatedDifferences, WeightsOfFusedPoolingAreMissingInTrex) {
  PLANEX_NEED_TEST_DATA(data);
  dom::parser parser;
  const dom::element expected = load_expected(parser, data, "resnet18-a100-qat-residual");
  EXPECT_EQ(std::int64_t(expected["not_trex"]["weights_bytes"]) -
                std::int64_t(expected["totals"]["weights_bytes"]),
            64 * 3 * 7 * 7);
  const PlanModel model = must(load_engine(data, "resnet18-a100-qat-residual"));
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.text(model.layers.type[row]) != "ConvActPool") continue;
    EXPECT_EQ(model.layers.weight_bytes.get(row), 64 * 3 * 7 * 7 + 64 * 4);
  }
}

// What TREx calls activation memory is traffic: every tensor is written once and read at least
// once, but for inputs and outputs of the engine. Distinct tensors are those after folding no-ops.
TEST(StatedDifferences, TrafficIsTwiceTheDistinctTensors) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* set : kReadableEngines) {
    SCOPED_TRACE(set);
    dom::parser parser;
    const dom::element expected = load_expected(parser, data, set);
    const analyze::Summary summary = analyze::summarize(must(load_engine(data, set)));
    const double times =
        static_cast<double>(*summary.activation_bytes) /
        static_cast<double>(integer(expected["not_trex"]["distinct_tensor_bytes"]));
    EXPECT_GT(times, 1.6);
    EXPECT_LT(times, 2.5);
    EXPECT_LT(*summary.memory.distinct_data_bytes, *summary.activation_bytes);
  }
}

// Channels in vectors take more memory than elements: nothing in NCHW of FP32, most in INT8.
TEST(StatedDifferences, PaddingIsMemory) {
  PLANEX_NEED_TEST_DATA(data);
  const auto padding = [&](const char* set) {
    const analyze::Summary summary = analyze::summarize(must(load_engine(data, set)));
    return static_cast<double>(*summary.memory.distinct_bytes) /
               static_cast<double>(*summary.memory.distinct_data_bytes) -
           1;
  };
  EXPECT_EQ(padding("resnet18-a100-fp32"), 0);
  EXPECT_NEAR(padding("mobilenet-titanrtx-qat-trt8.2"), 0.17, 0.005);
}

// By its first input a layer that turns indices into numbers is one of INT32, and a quantiser one
// of floats: so outputs are shown beside.
TEST(StatedDifferences, PrecisionIsShownOfBothEnds) {
  PLANEX_NEED_TEST_DATA(data);
  const auto of_indices = [&](const char* set) {
    const PlanModel model = must(load_engine(data, set));
    std::string found;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (!model.does_work(model::LayerId(row))) continue;
      if (model.layers.precision[row] != model::DType::kInt32) continue;
      found += std::string(model.text(model.layers.type[row])) + " to " +
               std::string(to_string(model.layers.output_precision[row])) + ";";
    }
    return found;
  };
  EXPECT_EQ(of_indices("controlnet-a10-trt8.6"), "MyelinReformat to FP16;");
  EXPECT_EQ(of_indices("mnist-trt10.14.1-logs"), "data movement (kgen) to INT64;");
  const PlanModel model = must(load_engine(data, "resnet18-a100-qat"));
  std::size_t quantisers = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.text(model.layers.origin[row]) != "QDQ") continue;
    ++quantisers;
    EXPECT_NE(model.layers.precision[row], model::DType::kInt8);
    EXPECT_EQ(model.layers.output_precision[row], model::DType::kInt8);
  }
  EXPECT_GT(quantisers, 0U);
}

// TREx's intensity leaves residuals out and its K has no groups. TrexSums and TrexValues hold every
// convolution to it; here is how many there are.
TEST(StatedDifferences, ResidualsAndGroupsAreWhereTheyAreSaidToBe) {
  PLANEX_NEED_TEST_DATA(data);
  struct Expected {
    const char* set;
    std::size_t residuals, grouped;
  };
  for (const Expected& expected :
       {Expected{"resnet18-a100-fp16", 8, 0}, Expected{"resnet18-a100-qat", 8, 0},
        Expected{"resnet50-rtx3090-fp16", 16, 0}, Expected{"mobilenet-titanrtx-qat", 10, 17},
        Expected{"mobilenet-titanrtx-qat-residual", 10, 17},
        Expected{"mobilenet-titanrtx-qat-trt8.2", 10, 17}}) {
    SCOPED_TRACE(expected.set);
    const PlanModel model = must(load_engine(data, expected.set));
    std::size_t residuals = 0, grouped = 0;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      const model::LayerId layer(row);
      if (model.layers.family[row] != Family::kConvolution) continue;
      const model::RowRange ports = model.ports_of(layer);
      std::size_t inputs = 0;
      for (std::size_t port = ports.first; port < ports.end(); ++port) {
        inputs += model.ports.direction[port] == model::Direction::kInput ? 1U : 0U;
      }
      residuals += inputs > 1 ? 1U : 0U;
      const std::string_view groups = model.attribute(layer, "Groups");
      grouped += !groups.empty() && groups != "1" ? 1U : 0U;
    }
    EXPECT_EQ(residuals, expected.residuals);
    EXPECT_EQ(grouped, expected.grouped);
  }
}

TEST(StatedDifferences, MediansComeFirst) {
  PLANEX_NEED_TEST_DATA(data);
  const analyze::Summary summary =
      analyze::summarize(must(load_engine(data, "controlnet-a10-trt8.6")));
  EXPECT_EQ(summary.time.basis, analyze::TimeBasis::kMedian);
  EXPECT_NEAR(*summary.time.layers_mean_ms, 15.29, 0.005);
  EXPECT_NEAR(*summary.time.layers_median_ms, 12.97, 0.005);
}

// TREx drops a shape call with its time, and percentages no longer add up.
TEST(StatedDifferences, NoTimeIsLost) {
  PLANEX_NEED_TEST_DATA(data);
  dom::parser parser;
  const dom::element expected = load_expected(parser, data, "resnet18-trt10-fp16");
  EXPECT_NEAR(double(expected["totals"]["sum_pct"]), 99.437, 0.0005);
  const PlanModel model = must(load_engine(data, "resnet18-trt10-fp16"));
  double share = 0;
  std::size_t kept = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    share += model.layers.share.get(row).value_or(0);
    if (model.layers.role[row] != model::Role::kShape) continue;
    ++kept;
    EXPECT_NEAR(model.layers.mean_ms[row], 0.00205, 0.000005);
    EXPECT_NEAR(model.layers.share[row], 0.0056, 0.0001);
  }
  EXPECT_EQ(kept, 1U);
  EXPECT_NEAR(share, 1, 1e-12);
}

// TREx takes the first of several producers for granted; here are all of them.
TEST(StatedDifferences, NoProducerIsLost) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* set : kReadableEngines) {
    const PlanModel model = must(load_engine(data, set));
    std::vector<std::int64_t> producers(model.tensors.row_count(), 0);
    for (std::size_t port = 0; port < model.ports.row_count(); ++port) {
      if (model.ports.direction[port] != model::Direction::kOutput) continue;
      ++producers[model.ports.tensor_id[port].index()];
    }
    for (std::size_t tensor = 0; tensor < producers.size(); ++tensor) {
      EXPECT_EQ(model.tensors.producers[tensor], producers[tensor]) << set;
    }
  }
}

// Names of clocks changed, and with them TREx no longer makes numbers of them.
TEST(StatedDifferences, ClocksOfNewLogsAreNumbers) {
  PLANEX_NEED_TEST_DATA(data);
  const std::string log = read_text(data + "/engines/mnist-trt10.14.1-logs/result-01.log");
  const base::MemoryFiles files = memory_files({{"engine/x.log", log}});
  const PlanModel model = must(load_completed({.path = "engine"}, files));
  std::map<std::string, std::string, std::less<>> values;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (!model.text(model.metadata.section[row]).starts_with("device_information")) continue;
    values.emplace(model.text(model.metadata.key[row]), model.text(model.metadata.value[row]));
  }
  EXPECT_EQ(values["Application Compute Clock Rate"].substr(0, 5), "2.505");
  EXPECT_EQ(values["Application Memory Clock Rate"].substr(0, 6), "10.001");
}

// The summary beside this engine was left by a newer one's run.
TEST(StatedDifferences, SummaryOfAnotherRunIsNotUsed) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* set : kReadableEngines) {
    SCOPED_TRACE(set);
    const bool is_foreign = std::string_view(set) == "mobilenet-titanrtx-qat-trt8.2";
    const PlanModel model = must(load_engine(data, set));
    const analyze::Summary summary = analyze::summarize(model);
    if (is_foreign) {
      EXPECT_THAT(diagnostic_codes(model), ::testing::Contains("summary-of-another-run"));
      EXPECT_DOUBLE_EQ(*summary.time.throughput_per_s, 1000 / *summary.time.end_to_end->median_ms);
    } else {
      EXPECT_THAT(diagnostic_codes(model),
                  ::testing::Not(::testing::Contains("summary-of-another-run")));
    }
  }
}

struct NamesOnlySet {
  const char* name;
  // Named, so that the log of the build is not looked for.
  const char* log;
  std::size_t layers, bindings, timed;
};

// TREx can't read these at all. We open them and say why there is little to see.
TEST(NamesOnly, OpensAndSaysWhatIsMissing) {
  PLANEX_NEED_TEST_DATA(data);
  for (const NamesOnlySet& set :
       {NamesOnlySet{"mnist-trt8.2.3-names-only", "result-load-FP32.txt", 12, 2, 0},
        NamesOnlySet{"mnist-trt8.6.0-names-only", "result-04.log", 15, 2, 0},
        NamesOnlySet{"yolo-orin-trt8.5.2-names-only", "trt.out", 86, 2, 86}}) {
    SCOPED_TRACE(set.name);
    const std::string folder = data + "/engines/" + set.name;
    const PlanModel model =
        must(load_completed({.path = folder, .log = folder + "/" + set.log}, base::disk()));
    // The log beside the third one has a line for each layer.
    const bool has_log = set.timed > 0;
    EXPECT_EQ(model.text(model.engine.detail[0]), has_log ? "log" : "names-only");
    EXPECT_EQ(model.layers.row_count(), set.layers);
    EXPECT_EQ(model.bindings.row_count(), set.bindings);
    EXPECT_EQ(model.ports.row_count() > 0, has_log);
    const auto timed = std::ranges::count_if(model.layers.mean_ms.values(),
                                             [](double ms) { return !std::isnan(ms); });
    EXPECT_EQ(static_cast<std::size_t>(timed), set.timed);
    EXPECT_THAT(diagnostic_codes(model), ::testing::Contains("names-only"));
    const analyze::Summary summary = analyze::summarize(model);
    // Of the third, constants that its pointwise layers read.
    EXPECT_EQ(summary.weight_bytes.has_value(), has_log);
    EXPECT_EQ(summary.activation_bytes.has_value(), has_log);
    ASSERT_FALSE(summary.missing.empty());
    EXPECT_NE(summary.missing[0].command.find("--profilingVerbosity=detailed"), std::string::npos);
  }
}

// The log of the build beside them has a line for each layer, and the whole command.
TEST(NamesOnly, TheBuildsLogTellsMore) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* name : {"mnist-trt8.2.3-names-only", "mnist-trt8.6.0-names-only"}) {
    SCOPED_TRACE(name);
    const PlanModel model = must(load_engine(data, name));
    EXPECT_EQ(model.text(model.engine.detail[0]), "log");
    EXPECT_GT(model.ports.row_count(), 0u);
    const analyze::Summary summary = analyze::summarize(model);
    ASSERT_FALSE(summary.missing.empty());
    EXPECT_TRUE(summary.missing[0].command.starts_with("trtexec --onnx=model.onnx --minShapes="))
        << summary.missing[0].command;
  }
}

}  // namespace
}  // namespace planex::test
