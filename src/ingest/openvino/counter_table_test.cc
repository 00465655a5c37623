// The table that benchmark_app prints with -pc: as printed by each release, whole logs and pasted
// excerpts of them, beside files of other engines.
#include "ingest/openvino/counter_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "analyze/timing/reconcile.h"
#include "base/files.h"
#include "base/text.h"
#include "ingest/discover/registry.h"
#include "ingest/openvino/openvino_test_support.h"
#include "support/model_texts.h"
#include "support/test_data.h"

namespace planex::ingest::openvino {
namespace {

using model::PlanModel;
using model::Role;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// OpenVINO 2022, Python: a status may touch the next title, and so may a time.
constexpr std::string_view kPython2022 =
    "[ INFO ] Performance counts for 0-th infer request\n"
    "x           Status.NOT_RUN layerType: Parameter     realTime: 0:00:00   cpu: 0:00:00  "
    "execType: unknown_I8\n"
    "Convolution_1 Status.EXECUTEDlayerType: Convolution   realTime: 0:00:00.001134cpu: "
    "0:00:00.001130 execType: jit_avx512_FP32\n"
    "relu        Status.NOT_RUN layerType: Relu          realTime: 0:00:00   cpu: 0:00:00  "
    "execType: undef\n"
    "b/Softmax   Status.EXECUTEDlayerType: Softmax       realTime: 0:00:00.000016cpu: "
    "0:00:00.000016 execType: jit_avx512_FP32\n"
    "y           Status.OPTIMIZED_OUTlayerType: Reshape  realTime: 0:00:00   cpu: 0:00:00  "
    "execType: unknown_FP32\n"
    "Total time:     1150 microseconds\n"
    "Total CPU time: 1146 microseconds\n";

// 2018 to 2021, C++ and Python: whole microseconds, names truncated to 26 characters.
constexpr std::string_view kCpp2020 =
    "performance counts:\n\n"
    "conv1_with_a_long_name/bia... EXECUTED       layerType: Convolution        realTime: 706      "
    " cpu: 706            execType: jit_avx2\n"
    "relu5_9_x2    OPTIMIZED_OUT     layerType: ReLU             realTime: 0          cpu: 0       "
    "       execType: undef\n"
    "subgraph1: fc6        EXECUTED       layerType: FullyConnected        realTime: 137        "
    "cpu: 12            execType: jit_gemm_FP32\n"
    "Total time: 843     microseconds\n";

Result<PlanModel> load_text(std::string_view text) {
  return test::load_completed({.path = "pasted.txt"}, test::memory_files({{"pasted.txt", text}}));
}

TEST(CounterRow, EachReleasesForm) {
  auto row = parse_counter_row(
      "/body/conv2/Conv     Status.EXECUTED      layerType: Convolution          execType: "
      "brgconv_avx512_bf16  realTime (ms): 0.077      cpuTime (ms): 0.070     proportion: 57.97%");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->name, "/body/conv2/Conv");
  EXPECT_EQ(row->status, "EXECUTED");
  EXPECT_EQ(row->type, "Convolution");
  EXPECT_EQ(row->kernel, "brgconv_avx512_bf16");
  EXPECT_DOUBLE_EQ(*row->real_ms, 0.077);
  EXPECT_DOUBLE_EQ(*row->cpu_ms, 0.070);

  row = parse_counter_row("a b c NOT_RUN layerType: Two Words realTime: 12 cpu: 3 execType: ");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->name, "a b c");
  EXPECT_EQ(row->status, "NOT_RUN");
  EXPECT_EQ(row->type, "Two Words");
  EXPECT_EQ(row->kernel, "");
  EXPECT_DOUBLE_EQ(*row->real_ms, 0.012);

  row = parse_counter_row("x Status.EXECUTEDlayerType: R realTime: 1 day, 0:00:01.5cpu: 0:00:02");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->name, "x");
  EXPECT_DOUBLE_EQ(*row->real_ms, 86'401'500);
  EXPECT_DOUBLE_EQ(*row->cpu_ms, 2000);

  row = parse_counter_row("x EXECUTED layerType: R realTime: soon cpu: -3");
  ASSERT_TRUE(row);
  EXPECT_FALSE(row->real_ms);
  EXPECT_FALSE(row->cpu_ms);
}

TEST(CounterRow, OtherLinesAreNone) {
  for (const std::string_view line :
       {"", "layerType: Convolution realTime: 3", "x EXECUTED layerType: Convolution",
        "the realTime: 3 of a layer", "Name: a, LayerType: Convolution, Inputs: []"}) {
    EXPECT_FALSE(parse_counter_row(line)) << line;
  }
}

TEST(CounterTotal, UnitsAreRead) {
  EXPECT_DOUBLE_EQ(*parse_total("  2316 microseconds"), 2.316);
  EXPECT_DOUBLE_EQ(*parse_total("0.134 milliseconds"), 0.134);
  EXPECT_DOUBLE_EQ(*parse_total("0:00:00.002316"), 2.316);
  EXPECT_FALSE(parse_total("many"));
}

TEST(CountersLog, PythonOf2022) {
  const PlanModel model = test::must(load_text(kPython2022));
  EXPECT_EQ(model.text(model.engine.producer[0]), "openvino");
  const std::size_t conv = row_of(model, "Convolution_1");
  EXPECT_EQ(model.text(model.layers.type[conv]), "Convolution");
  EXPECT_DOUBLE_EQ(*model.layers.mean_ms.get(conv), 1.134);
  EXPECT_EQ(model.text(model.layers.tactic[conv]), "jit_avx512_FP32");
  EXPECT_EQ(model.layers.role[row_of(model, "y")], Role::kNoOp);
  EXPECT_EQ(model.layers.role[row_of(model, "x")], Role::kInput);
  EXPECT_TRUE(model.layers.mean_ms.is_null(row_of(model, "y"))) << "not 0";
  EXPECT_THROW(row_of(model, "relu"), std::out_of_range) << "another layer does it";
  EXPECT_EQ(test::value_of(model, "fused operations", "relu"), "Relu");
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("wrong-total")));
  EXPECT_FALSE(analyze::reconcile(model).end_to_end) << "there is no latency in it";
}

TEST(CountersLog, CppOf2020CutsNames) {
  const PlanModel model = test::must(load_text(kCpp2020));
  EXPECT_DOUBLE_EQ(*model.layers.mean_ms.get(row_of(model, "subgraph1: fc6")), 0.137);
  EXPECT_THAT(test::diagnostic_codes(model), Contains("names-cut"));
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("sorted-by-time")));
}

TEST(CountersLog, SumThatIsNotTheTotalIsTold) {
  const PlanModel model = test::must(
      load_text(replaced(std::string(kPython2022), "1150 microseconds", "9150 microseconds")));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("wrong-total"));
}

// Real output of OpenVINO 2026.4: two requests with the counters of one stream each.
TEST(CountersLog, RealOutputOf2026) {
  const std::string folder = std::string(PLANEX_SOURCE_DIR) + "/fuzz/corpus/openvino-counters-log/";
  PlanModel model = test::must(
      test::load_completed({.path = folder + "benchmark_app-2026.4-pc.log"}, base::disk()));
  EXPECT_EQ(model.text(model.engine.producer_version[0]), "2026.4.1");
  const std::size_t conv = row_of(model, "/body/conv2/Conv");
  EXPECT_DOUBLE_EQ(*model.layers.mean_ms.get(conv), 0.077);
  EXPECT_EQ(model.text(model.layers.tactic[conv]), "brgconv_avx512_bf16");
  analyze::Reconciliation time = analyze::reconcile(model);
  ASSERT_TRUE(time.end_to_end);
  // "186.48 us", because it is less than a millisecond.
  EXPECT_DOUBLE_EQ(*time.end_to_end->median_ms, 0.18648);
  EXPECT_TRUE(time.end_to_end->has_layer_times);
  EXPECT_NEAR(*time.throughput_per_s, 8093.9, 0.1);
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("wrong-total")));
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("sorted-by-time")));

  model = test::must(
      test::load_completed({.path = folder + "benchmark_app-2026.4-pcsort.log"}, base::disk()));
  EXPECT_DOUBLE_EQ(*model.layers.mean_ms.get(row_of(model, "/body/conv2/Conv")), 0.080);
  EXPECT_THAT(test::diagnostic_codes(model), Contains("sorted-by-time"));
}

TEST(CountersLog, ResultsWithoutStepsAreALog) {
  const PlanModel model =
      test::must(load_text("It gets slower:\n[ INFO ] Count:            8096 iterations\n"
                           "[ INFO ] Duration:         1000.26 ms\n[ INFO ] Latency:\n"
                           "[ INFO ]    Median:        1.48 ms\n"
                           "[ INFO ] Throughput:   8093.94 FPS\n"));
  EXPECT_EQ(model.text(model.engine.producer[0]), "openvino");
  EXPECT_EQ(model.layers.row_count(), 0u);
  ASSERT_TRUE(analyze::reconcile(model).end_to_end);
  EXPECT_EQ(analyze::reconcile(model).end_to_end->median_ms, 1.48);
}

constexpr std::string_view kOtherLayers =
    R"({"Layers": ["a", "b", "/model/MaxPool"], "Bindings": ["images", "logits"]})";

TEST(CountersLog, StandsAloneBesideLayersOfTensorRt) {
  const base::MemoryFiles files = test::memory_files({{"run/layers.json", kOtherLayers},
                                                      {"run/bench.log", kPython2022},
                                                      {"run/old.log", kCpp2020}});
  for (const auto& [path, layer] :
       {std::pair<std::string, std::string>{"run/bench.log", "b/Softmax"},
        {"run/old.log", "subgraph1: fc6"}}) {
    const PlanModel model = test::must(test::load_completed({.path = path}, files));
    EXPECT_EQ(model.text(model.engine.producer[0]), "openvino") << path;
    EXPECT_NO_THROW(row_of(model, layer)) << path;
  }
  const PlanModel layers = test::must(test::load_completed({.path = "run/layers.json"}, files));
  EXPECT_EQ(layers.layers.row_count(), 3u);
  EXPECT_FALSE(analyze::reconcile(layers).end_to_end);
  EXPECT_THAT(test::diagnostic_codes(layers), Contains("other-producer"));

  const auto named =
      test::load_completed({.path = "run/layers.json", .log = "run/bench.log"}, files);
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(named.error().message, HasSubstr("OpenVINO"));
}

// The same name, which once joined them regardless of their content.
TEST(CountersLog, OneNameDoesNotJoinProducers) {
  const base::MemoryFiles files =
      test::memory_files({{"run/net.json", kOtherLayers}, {"run/net.log", kPython2022}});
  EXPECT_EQ(test::must(test::load_completed({.path = "run/net.log"}, files)).layers.row_count(),
            4u);
  EXPECT_EQ(test::must(test::load_completed({.path = "run/net.json"}, files)).layers.row_count(),
            3u);
}

TEST(CountersLog, GivesAnExecutionGraphItsTimes) {
  constexpr std::string_view kOneLayer =
      R"(<net name="n" version="11"><layers>
<layer id="0" name="conv1_with_a_long_name/biases" type="Convolution"><data execOrder="0" execTimeMcs="not_executed"/>
<output><port id="0" precision="FP32"><dim>4</dim></port></output></layer></layers><edges/></net>)";
  const base::MemoryFiles files =
      test::memory_files({{"run/exec_graph.xml", kOneLayer}, {"run/bench.log", kCpp2020}});
  const PlanModel model = test::must(test::load_completed({.path = "run"}, files));
  ASSERT_EQ(model.layers.row_count(), 1u);
  EXPECT_EQ(model.layers.mean_ms.get(0), 0.706) << "the whole name is the one that begins so";
}

TEST(CountersLog, SniffedByContent) {
  for (const std::string_view text : {kPython2022, kCpp2020}) {
    ASSERT_NE(sniff(text), nullptr);
    EXPECT_EQ(sniff(text)->id, "openvino-counters-log");
  }
  EXPECT_EQ(sniff("layerType: is a title\nThroughput: high\n"), nullptr);
}

std::size_t runs_told_of(const PlanModel& model) {
  return test::messages_of(model, "several-runs").size();
}

// The output of two runs, appended to one file or pasted one after another.
TEST(CountersLog, TwoRunsAreNotAddedUp) {
  const std::string first(kPython2022);
  const std::string bare =
      replaced(first, "[ INFO ] Performance counts for 0-th infer request\n", "");
  for (const std::string& text :
       {first + first, first + "with bf16:\n\n" + first, first + std::string(kCpp2020),
        std::string(kCpp2020) + std::string(kCpp2020), std::string(kCpp2020) + bare}) {
    const PlanModel last = test::must(load_text(text));
    EXPECT_EQ(runs_told_of(last), 1u) << text;
    EXPECT_EQ(test::value_of(last, "run 2", "shown"), "yes");
    const base::MemoryFiles files = test::memory_files({{"pasted.txt", text}});
    const PlanModel asked =
        test::must(test::load_completed({.path = "pasted.txt", .run = 1}, files));
    EXPECT_EQ(asked.layers.row_count(),
              test::must(load_text(text.starts_with("perf") ? kCpp2020 : kPython2022))
                  .layers.row_count());
    EXPECT_FALSE(test::load_completed({.path = "pasted.txt", .run = 3}, files));
  }
}

TEST(CountersLog, RequestsOfOneRunAreOneRun) {
  const std::string first(kPython2022);
  const std::string second = replaced(first, "0-th", "1-th");
  EXPECT_EQ(runs_told_of(test::must(load_text(first + second))), 0u);
  const std::string results = "[ INFO ] Count: 100 iterations\n[ INFO ] Throughput: 50.00 FPS\n";
  for (const std::string& text : {first + results, results + first}) {
    EXPECT_EQ(runs_told_of(test::must(load_text(text))), 0u) << text;
  }
  EXPECT_EQ(runs_told_of(test::must(load_text(results + first + results))), 1u);
}

TEST(CountersLog, ManyRowsTakeLinearTime) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += base::format("l{} EXECUTED layerType: Add realTime: 2 cpu: 2 execType: jit\n", i);
  }
  EXPECT_EQ(test::must(load_text(text)).layers.row_count(), 100'000u);
}

}  // namespace
}  // namespace planex::ingest::openvino
