// complete(), reconcile() and summarize() together: how the figures of an engine are computed.
#include "analyze/summary/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <string>
#include <vector>

#include "analyze/complete/complete.h"
#include "base/text.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using base::format;
using model::DType;
using model::PlanModel;

constexpr std::string_view kGraph = R"({"Layers": [
  {"Name": "in", "LayerType": "Reformat", "ParameterType": "Reformat", "Origin": "QDQ",
   "Inputs": [{"Name": "x", "Dimensions": [1,3,4,4], "Format/Datatype": "Row major linear FP32"}],
   "Outputs": [{"Name": "q", "Dimensions": [1,3,4,4],
                "Format/Datatype": "Four wide channel vectorized row major Int8 format"}]},
  {"Name": "skip", "LayerType": "NoOp", "Inputs": [], "Outputs": []},
  {"Name": "conv", "LayerType": "CaskConvolution", "ParameterType": "Convolution",
   "TacticName": "sm80_xmma_fprop_tf32f32",
   "Inputs": [{"Name": "q", "Dimensions": [1,3,4,4],
               "Format/Datatype": "Four wide channel vectorized row major Int8 format"}],
   "Outputs": [{"Name": "y", "Dimensions": [1,8,4,4], "Format/Datatype": "Row major linear FP32"}],
   "Kernel": [1,1], "Groups": 1, "OutMaps": 8, "Weights": {"Type": "Int8", "Count": 24},
   "Bias": {"Type": "Float", "Count": 8}}],
 "Bindings": ["x", "y"]})";

std::string profile(double in, double skip, double conv) {
  return format(R"([{{"count": 10}},
    {{"name": "in", "timeMs": 1, "averageMs": {}, "medianMs": {}, "percentage": 1}},
    {{"name": "skip", "timeMs": 1, "averageMs": {}, "medianMs": {}, "percentage": 1}},
    {{"name": "conv", "timeMs": 1, "averageMs": {}, "medianMs": {}, "percentage": 1}}])",
                in, in, skip, skip, conv, conv);
}

TEST(Complete, DerivesSizesAndPrecisions) {
  const PlanModel model = test::must(test::load_texts(kGraph));
  EXPECT_EQ(model.layers.precision[0], DType::kFp32);
  EXPECT_EQ(model.layers.output_precision[0], DType::kInt8);
  EXPECT_EQ(model.layers.input_bytes.get(0), 3 * 16 * 4);
  EXPECT_EQ(model.layers.output_bytes.get(0), 3 * 16);  // traffic is without padding
  EXPECT_EQ(model.ports.data_bytes.get(1), 3 * 16);
  EXPECT_EQ(model.ports.bytes.get(1), 4 * 16);  // memory is with it
  EXPECT_EQ(model.layers.weight_bytes.get(2), 24 + 32);
  EXPECT_EQ(model.layers.footprint_bytes.get(2), 48 + 8 * 16 * 4 + 56);
  EXPECT_EQ(model.layers.macs.get(2), 8 * 16 * 3);
  EXPECT_TRUE(model.layers.precision.is_null(1));  // no inputs or outputs
  EXPECT_TRUE(model.layers.share.is_null(0));      // nothing was measured
  EXPECT_EQ(model.engine.batch_size.get(0), 1);
}

TEST(Complete, PrecisionIsOfNumbersBeforeIndices) {
  const auto precision = [](std::string_view first, std::string_view second) {
    const PlanModel model =
        test::must(test::load_texts(format(R"({{"Layers": [{{"Name": "a", "LayerType": "kgen",
                 "Inputs": [{{"Name": "i", "Dimensions": [4], "Format/Datatype": "{}"}},
                            {{"Name": "x", "Dimensions": [4], "Format/Datatype": "{}"}}],
                 "Outputs": [{{"Name": "y", "Dimensions": [4], "Format/Datatype": "Float"}}]}}]}})",
                                           first, second)));
    return model.layers.precision[0];
  };
  EXPECT_EQ(precision("Half", "Float"), DType::kFp16);
  EXPECT_EQ(precision("Int32", "Half"), DType::kFp16);
  EXPECT_EQ(precision("Int64", "Int8"), DType::kInt8);
  EXPECT_EQ(precision("Int32", "Int64"), DType::kInt32);
}

TEST(Complete, KernelsSayWhatTheyComputeIn) {
  const PlanModel model = test::must(test::load_texts(kGraph));
  EXPECT_EQ(model.layers.compute_precision[2], DType::kTf32);
  EXPECT_TRUE(model.layers.tensor_cores.is_null(2)) << "the name does not show it";
  EXPECT_TRUE(model.layers.compute_precision.is_null(0));
}

TEST(Complete, IsTheSameWhenDoneTwice) {
  PlanModel model = test::must(test::load_texts(kGraph, profile(1, 0, 3)));
  const double share = model.layers.share[2];
  const auto bytes = model.layers.footprint_bytes.get(2);
  complete(model);
  EXPECT_EQ(model.layers.share[2], share);
  EXPECT_EQ(model.layers.footprint_bytes.get(2), bytes);
}

TEST(Complete, LayersWithoutInputsHaveThePrecisionOfTheirOutput) {
  const PlanModel model = test::must(test::load_texts(
      R"({"Layers": [{"Name": "c", "LayerType": "Constant", "ParameterType": "Constant",
          "Inputs": [], "Outputs": [{"Name": "w", "Dimensions": [4], "Format/Datatype": "Half"}],
          "weights": {"Type": "Half", "Count": 4}, "dimensions": [4]}]})"));
  EXPECT_EQ(model.layers.precision[0], DType::kFp16);
  EXPECT_EQ(model.layers.input_bytes.get(0), 0);
  EXPECT_EQ(model.layers.weight_bytes.get(0), 8);
}

TEST(Complete, OneUnknownSizeMakesTheSumUnknown) {
  const PlanModel model = test::must(test::load_texts(
      R"({"Layers": [{"Name": "a", "LayerType": "Reformat", "ParameterType": "Reformat",
          "Inputs": [{"Name": "x", "Dimensions": [4], "Format/Datatype": "Half"},
                     {"Name": "z", "Dimensions": [-1], "Format/Datatype": "Half"}],
          "Outputs": [{"Name": "y", "Dimensions": [4], "Format/Datatype": "Odd"}]}]})"));
  EXPECT_FALSE(model.layers.input_bytes.get(0));
  EXPECT_FALSE(model.layers.output_bytes.get(0));
  EXPECT_FALSE(model.layers.io_bytes.get(0));
  EXPECT_FALSE(model.layers.footprint_bytes.get(0));
  const Summary summary = summarize(model);
  EXPECT_FALSE(summary.activation_bytes);
  EXPECT_EQ(summary.layers_without_bytes, 1);
}

TEST(Shares, AreOfAllRecordsAndSumToOne) {
  const PlanModel model = test::must(test::load_texts(kGraph, profile(1, 0.5, 2.5)));
  EXPECT_DOUBLE_EQ(model.layers.share[0], 0.25);
  EXPECT_DOUBLE_EQ(model.layers.share[1], 0.125);
  EXPECT_DOUBLE_EQ(model.layers.share[2], 0.625);
  const Summary summary = summarize(model);
  EXPECT_EQ(summary.time.basis, TimeBasis::kMedian);
  EXPECT_DOUBLE_EQ(*summary.time.layers_median_ms, 4);
  EXPECT_EQ(summary.layer_count, 2);
  EXPECT_EQ(summary.record_count, 3);
  ASSERT_EQ(summary.by_type.size(), 2u);
  EXPECT_EQ(summary.by_type[0].key, "Convolution");
  EXPECT_DOUBLE_EQ(*summary.by_type[0].share, 0.625);
  ASSERT_EQ(summary.top_layers.size(), 3u);
  EXPECT_EQ(summary.top_layers[0].layer.index(), 2u);
  ASSERT_TRUE(summary.reformats);
  EXPECT_EQ(summary.reformats->count, 1);
  EXPECT_DOUBLE_EQ(summary.reformats->share.value_or(-1), 0.25);
  // Layers without a type are in the other records, so that the table adds up.
  EXPECT_EQ(summary.time.others.count, 1);
  EXPECT_EQ(summary.time.others.types, std::vector<std::string>{"NoOp"});
  EXPECT_DOUBLE_EQ(*sum_of(summary.by_type).median_ms + *summary.time.others_ms(),
                   *summary.time.layers_ms());
}

TEST(Shares, AreNullWhereAllTimesAreZero) {
  const PlanModel model = test::must(test::load_texts(kGraph, profile(0, 0, 0)));
  EXPECT_FALSE(model.layers.share.get(0));
  EXPECT_EQ(*summarize(model).time.layers_median_ms, 0);
}

std::string times_text(const std::vector<double>& compute) {
  std::string text = "[";
  for (const double ms : compute) {
    text += format(R"({}{{"startEnqMs": 1, "computeMs": {}, "latencyMs": {}}})",
                   text.size() > 1 ? "," : "", ms, ms + 1);
  }
  return text + "]";
}

PlanModel with_times(const std::vector<double>& compute) {
  base::MemoryFiles files;
  files.add("e/x.graph.json", kGraph);
  files.add("e/x.profile.json", profile(0.4, 0, 0.6));
  files.add("e/x.times.json", times_text(compute));
  return test::must(test::load_completed({.path = "e"}, files));
}

TEST(Reconcile, TakesTheOverheadOffEachLayerThatWorks) {
  const PlanModel model = with_times(std::vector<double>(20, 0.8));
  const Reconciliation time = reconcile(model);
  ASSERT_TRUE(time.end_to_end);
  EXPECT_EQ(time.end_to_end->source, "times");
  EXPECT_EQ(time.end_to_end->field, "compute");
  EXPECT_EQ(time.end_to_end->count, 20);
  EXPECT_NEAR(*time.gap_ms, 0.2, 1e-12);
  EXPECT_NEAR(*time.overhead_us_per_layer, 100, 1e-9);
  EXPECT_NEAR(model.layers.corrected_ms[0], 0.3, 1e-12);
  EXPECT_NEAR(model.layers.corrected_ms[2], 0.5, 1e-12);
  EXPECT_NEAR(model.layers.corrected_share[2], 0.5 / 0.8, 1e-12);
  EXPECT_NEAR(*time.throughput_per_s, 1250, 1e-9);
}

TEST(Reconcile, NoOverheadWhereLayersAreFasterThanTheWhole) {
  const PlanModel model = with_times(std::vector<double>(20, 1.5));
  const Reconciliation time = reconcile(model);
  EXPECT_LT(*time.gap_ms, 0);
  EXPECT_FALSE(time.overhead_us_per_layer);
}

// Where OpenVINO's layers take longer than the inference, they were interrupted.
TEST(Reconcile, OpenVinosTimingHasNoOverhead) {
  PlanModel model = with_times(std::vector<double>(20, 0.8));
  model.engine.producer.set(0, model.strings.intern("openvino"));
  const Reconciliation time = reconcile(model);
  EXPECT_NEAR(*time.gap_ms, 0.2, 1e-12);
  EXPECT_FALSE(time.overhead_us_per_layer);
}

TEST(Reconcile, CountsLayersThatTheProfileLacks) {
  const PlanModel model = test::must(test::load_texts(
      kGraph,
      R"([{"count": 10}, {"name": "in", "timeMs": 1, "averageMs": 0.1, "percentage": 100}])"));
  EXPECT_EQ(reconcile(model).layers_without_time, 1) << "conv; no-ops do no work";
  EXPECT_DOUBLE_EQ(model.layers.share[0], 1);
  EXPECT_FALSE(model.layers.share.get(2));
  EXPECT_EQ(reconcile(test::must(test::load_texts(kGraph))).layers_without_time, 0);
}

TEST(Reconcile, HistogramHoldsEverySample) {
  std::vector<double> samples;
  for (int i = 0; i < 500; ++i) samples.push_back(1 + 0.001 * (i % 37));
  samples.push_back(50);  // an outlier, in the last bin
  const Reconciliation time = reconcile(with_times(samples));
  ASSERT_TRUE(time.histogram);
  EXPECT_LE(time.histogram->counts.size(), 26u);
  EXPECT_EQ(std::accumulate(time.histogram->counts.begin(), time.histogram->counts.end(), 0LL),
            501);
  EXPECT_LE(time.histogram->start_ms, 1);
  EXPECT_GT(time.histogram->step_ms, 0);
  EXPECT_FALSE(reconcile(with_times({1, 2, 3})).histogram);                   // too few
  EXPECT_FALSE(reconcile(with_times(std::vector<double>(50, 1))).histogram);  // all alike
}

TEST(Reconcile, HostileTimesGiveNoHistogram) {
  std::vector<double> samples(20, 1.0);
  for (std::size_t i = 0; i < 10; ++i) samples[i] = 1e300;
  EXPECT_FALSE(reconcile(with_times(samples)).histogram);
  samples.assign(20, -1e300);
  samples[3] = 1e300;
  EXPECT_FALSE(reconcile(with_times(samples)).histogram);
  // One outlier beyond p99 does not remove the histogram.
  samples.assign(2'000, 1.0);
  for (std::size_t i = 0; i < 1'000; ++i) samples[i] = 1.5;
  samples[7] = 1e300;
  const Reconciliation time = reconcile(with_times(samples));
  ASSERT_TRUE(time.histogram);
  EXPECT_EQ(std::accumulate(time.histogram->counts.begin(), time.histogram->counts.end(), 0LL),
            2'000);
}

Reconciliation with_summary(std::string_view numbers) {
  base::MemoryFiles files;
  files.add("e/x.graph.json", kGraph);
  files.add("e/x.profile.metadata.json",
            format(R"({{"performance_summary": {{"Throughput": 2000.5, "GPU Compute Time": {}}}}})",
                   numbers));
  return reconcile(test::must(test::load_completed({.path = "e"}, files)));
}

TEST(Reconcile, ReadsSummariesOfFiveAndSevenNumbers) {
  const auto five = with_summary("[0.1, 0.9, 0.3, 0.25, 0.8]").end_to_end;
  ASSERT_TRUE(five);
  EXPECT_EQ(five->source, "log");
  EXPECT_EQ(five->min_ms, 0.1);
  EXPECT_EQ(five->max_ms, 0.9);
  EXPECT_EQ(five->mean_ms, 0.3);
  EXPECT_EQ(five->median_ms, 0.25);
  EXPECT_FALSE(five->p90_ms);
  EXPECT_EQ(five->p99_ms, 0.8);
  const auto seven = with_summary("[\n    0.1,\n    0.9,\n 0.3, 0.25, 0.6, 0.7, 0.8\n]").end_to_end;
  ASSERT_TRUE(seven);
  EXPECT_EQ(seven->max_ms, 0.9);
  EXPECT_EQ(seven->p90_ms, 0.6);
  EXPECT_EQ(seven->p95_ms, 0.7);
  EXPECT_EQ(seven->p99_ms, 0.8);
  EXPECT_EQ(with_summary("[1, 2, 3, 4, 5]").throughput_per_s, 2000.5);
  for (const char* other : {"[]", "[1, 2, 3]", "\"fast\"", "[1, 2, \"x\", 4, 5]", "7"}) {
    EXPECT_FALSE(with_summary(other).end_to_end) << other;
  }
}

// Inferences that ran side by side end more often than the latency of one suggests.
TEST(Reconcile, TakesTheThroughputThatWasMeasured) {
  base::MemoryFiles files;
  files.add("e/x.graph.json", kGraph);
  files.add("e/x.times.json",
            R"({"schema": "planex.times/1", "throughput_per_s": 1900.5, "throughput_requests": 2,
                "columns": {"latency_ms": [1, 1, 1]}})");
  const Reconciliation times = reconcile(test::must(test::load_completed({.path = "e"}, files)));
  EXPECT_EQ(times.throughput_per_s, 1900.5);
  EXPECT_EQ(times.end_to_end->median_ms, 1);
}

// Files with the same name can come from different runs.
TEST(Reconcile, LeavesASummaryOfAnotherRunAlone) {
  const auto beside_times = [](std::string_view numbers) {
    base::MemoryFiles files;
    files.add("e/x.graph.json", kGraph);
    files.add("e/x.times.json", times_text(std::vector<double>(20, 0.8)));
    files.add(
        "e/x.profile.metadata.json",
        format(R"({{"performance_summary": {{"Throughput": 2000.5, "GPU Compute Time": {}}}}})",
               numbers));
    return test::must(test::load_completed({.path = "e"}, files));
  };
  const auto remarks = [](const PlanModel& model) {
    return std::ranges::count(test::diagnostic_codes(model), "summary-of-another-run");
  };
  PlanModel other = beside_times("[0.3, 0.5, 0.4, 0.4, 0.5]");
  EXPECT_EQ(reconcile(other).foreign_summary_median_ms, 0.4);
  EXPECT_NEAR(*reconcile(other).throughput_per_s, 1250, 1e-9);
  EXPECT_EQ(remarks(other), 1);
  complete(other);
  EXPECT_EQ(remarks(other), 1);
  // The same figure of another run of the same engine, and of the same run.
  for (const char* same : {"[0.7, 0.9, 0.8, 0.76, 0.9]", "[0.8, 0.8, 0.8, 0.8, 0.8]"}) {
    const PlanModel model = beside_times(same);
    EXPECT_FALSE(reconcile(model).foreign_summary_median_ms) << same;
    EXPECT_EQ(reconcile(model).throughput_per_s, 2000.5) << same;
    EXPECT_EQ(remarks(model), 0) << same;
  }
}

TEST(Summarize, SumsThatDoNotFitAreNull) {
  std::string layers;
  for (int i = 0; i < 3; ++i) {
    layers += format(
        R"({}{{"Name": "l{}", "LayerType": "CaskConvolution", "ParameterType": "Convolution",
          "Inputs": [], "Outputs": [], "Weights": {{"Type": "Int8", "Count": 6000000000000000000}}}})",
        i > 0 ? "," : "", i);
  }
  const Summary summary =
      summarize(test::must(test::load_texts(R"({"Layers": [)" + layers + "]}")));
  EXPECT_FALSE(summary.weight_bytes);
  EXPECT_FALSE(summary.footprint_bytes);
}

TEST(Summarize, NamesWhatIsMissing) {
  const Summary bare = summarize(test::must(test::load_texts(kGraph)));
  ASSERT_GE(bare.missing.size(), 2u);
  for (const MissingPiece& piece : bare.missing) {
    EXPECT_FALSE(piece.what.empty() || piece.consequence.empty() || piece.command.empty());
  }
  const Summary timed = summarize(with_times(std::vector<double>(20, 1)));
  EXPECT_LT(timed.missing.size(), bare.missing.size());
}

// A log without layers still says what was run.
TEST(Batch, OfALogIsThatOfItsRun) {
  const auto batch_of = [](std::initializer_list<std::array<std::string_view, 3>> rows) {
    model::ModelBuilder builder;
    for (const auto& [section, key, value] : rows) builder.add_metadata(section, key, value, "log");
    PlanModel model = builder.finish();
    complete(model);
    return model.engine.batch_size.get(0);
  };
  EXPECT_EQ(batch_of({{"binding_shapes", "x", "8x3x224x224"}, {"binding_shapes", "y", "8x10"}}), 8);
  EXPECT_EQ(batch_of({{"binding_shapes", "x", "1024x1"}, {"binding_shapes", "y", "1024"}}), 1024);
  EXPECT_EQ(batch_of({{"binding_shapes", "x", "3x224"}, {"binding_shapes", "y", "8x10"}}),
            std::nullopt);
  // An implicit batch is not a dimension.
  EXPECT_EQ(batch_of({{"inference_options", "Batch", "16"}, {"binding_shapes", "x", "3x224x224"}}),
            16);
  EXPECT_EQ(batch_of({{"inference_options", "Batch", "Explicit"}}), std::nullopt);
}

}  // namespace
}  // namespace planex::analyze
