// benchmark_app's files beside the execution graph: real sets, and reduced and broken files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "base/files.h"
#include "base/text.h"
#include "ingest/discover/registry.h"
#include "ingest/openvino/benchmark_log_reader.h"
#include "ingest/openvino/counters_reader.h"
#include "ingest/openvino/openvino_test_support.h"
#include "ingest/openvino/report_reader.h"
#include "support/model_texts.h"
#include "support/test_data.h"

namespace planex::ingest::openvino {
namespace {

using analyze::Reconciliation;
using base::format;
using model::LayerId;
using model::PlanModel;
using model::Role;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Graph of two layers and a constant, which all files below are about.
constexpr std::string_view kGraph = R"(<net name="n" version="11"><layers>
<layer id="0" name="x" type="Input"><data execOrder="0" execTimeMcs="not_executed"/>
<output><port id="0" precision="FP32"><dim>4</dim></port></output></layer>
<layer id="1" name="k" type="Const"><data execOrder="1" execTimeMcs="not_executed"/>
<output><port id="0" precision="FP32"><dim>4</dim></port></output></layer>
<layer id="2" name="a" type="Eltwise"><data execOrder="2" execTimeMcs="100"/>
<input><port id="0" precision="FP32"><dim>4</dim></port><port id="1" precision="FP32"><dim>4</dim></port></input>
<output><port id="2" precision="FP32"><dim>4</dim></port></output></layer>
<layer id="3" name="b" type="Softmax"><data execOrder="3" execTimeMcs="50"/>
<input><port id="0" precision="FP32"><dim>4</dim></port></input>
<output><port id="1" precision="FP32"><dim>4</dim></port></output></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>)";

constexpr std::string_view kCsv =
    "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)\n"
    "x;Status.NOT_RUN;Parameter;unknown_f32;0.000;0.000\n"
    "a;Status.EXECUTED;Add;jit_avx512_f32;0.120;0.120\n"
    "relu;Status.NOT_RUN;Relu;undef;0.000;0.000\n"
    "b;Status.EXECUTED;Softmax;jit_avx512_f32;0.060;0.060\n"
    "Total;;;;0.180;0.180\n\n";

constexpr std::string_view kReport =
    "Command line parameters\n-m;m.onnx\n-report_type;average_counters\n-json_stats;\n\n"
    "Configuration setup\ntarget device;CPU\nnumber of parallel infer requests;1\n\n"
    "Execution results\nfirst inference time (ms);0.40\ntotal execution time (ms);20.00\n"
    "total number of iterations;100\nlatency (ms);0.19\navg latency;0.20\nmin latency;0.18\n"
    "max latency;0.31\nthroughput;5000.00\n\n";

constexpr std::string_view kLog =
    "[Step 1/11] Parsing and validating input arguments\n[ INFO ] Parsing input parameters\n"
    "[Step 2/11] Loading OpenVINO Runtime\n[ INFO ] OpenVINO:\n"
    "[ INFO ] Build ......... 2024.4.0-16579-c3152d32c9c-releases/2024/4\n[ INFO ] \n"
    "[ INFO ] Device info:\n[ INFO ] AUTO\n[ INFO ] Build ......... 2024.4.0-16579\n"
    "[Step 4/11] Reading model files\n[ INFO ] Read model took 6.18 ms\n[ INFO ] Model inputs:\n"
    "[ INFO ]     63 , x (node: x) : f32 / [...] / [?,4]\n"
    "[Step 8/11] Querying optimal runtime parameters\n[ INFO ] Model:\n[ INFO ]   PERF_COUNT: YES\n"
    "[ INFO ]   EXECUTION_DEVICES: ['CPU']\n"
    "[Step 10/11] Measuring performance (Start inference asynchronously, 4 inference requests "
    "using 4 streams for CPU, limits: 60000 ms duration)\n[ INFO ] First inference took 0.40 ms\n"
    "[Step 11/11] Dumping statistics report\n[ INFO ] Count:            100 iterations\n"
    "[ INFO ] Duration:         20.00 ms\n[ INFO ] Latency:\n[ INFO ]    Median:        0.19 ms\n"
    "[ INFO ]    Average:       0.20 ms\n[ INFO ]    Min:           0.18 ms\n"
    "[ INFO ]    Max:           0.31 ms\n[ INFO ] Throughput:   5000.00 FPS\n";

// The graph and one more file, recognized by its content.
Result<PlanModel> load_with(std::string_view text, std::string_view more = {}) {
  base::MemoryFiles files;
  files.add("engine/exec_graph.xml", kGraph);
  files.add("engine/other.txt", text);
  if (!more.empty()) files.add("engine/more.txt", more);
  return test::load_completed({.path = "engine"}, files);
}

Result<PlanModel> load_alone(std::string_view text) {
  return test::load_completed({.path = "engine"},
                              test::memory_files({{"engine/counters.csv", text}}));
}

// --- Real sets ---

struct RealSet {
  const char* name;
  std::size_t records, work_layers, fused;
  double layers_ms;
  std::int64_t weight_bytes, macs, written_bytes;
  double median_ms, mean_ms, first_ms, throughput_per_s;
  // The ratio of the layers' sum to the mean latency with the first inference.
  double coverage;
};
// ResNet-18 has 1.814 G multiply-accumulates per image and 11.7 M weights; the sums are OpenVINO's
// own. The FP32 engine writes 11.35 MB per image in the driver's runs, here also 0.6 MB of the
// input as FP32.
constexpr std::int64_t kResnetMacs = 1'814'073'344LL * 8;
constexpr RealSet kSets[] = {
    {"openvino2026.4-resnet18-bf16-b8", 133, 26, 25, 14.384, 46'734'944, kResnetMacs, 47'824'128,
     13.51, 13.59, 69.87, 72.75, 0.991},
    {"openvino2026.4-resnet18-fp32-b8", 113, 25, 25, 81.645, 46'734'944, kResnetMacs, 95'583'488,
     79.85, 80.27, 180.36, 12.43, 0.997},
    {"openvino2026.4-resnet18-qdq-naive-b8", 125, 35, 17, 9.737, 11'702'208, kResnetMacs,
     90'569'984, 9.57, 9.69, 19.26, 102.11, 0.989},
    {"openvino2026.4-resnet18-qdq-shared-b8", 116, 26, 53, 8.550, 11'702'208, kResnetMacs,
     23'936'256, 8.37, 8.46, 28.10, 116.98, 0.974},
    // Its constants of four to twelve bytes are read by several layers.
    {"openvino2026.4-transformer-f32", 90, 24, 4, 3.458, 6'310'152, 201'326'592, 3'932'160, 3.51,
     3.59, 5.62, 276.15, 0.954},
};

class BenchmarkAppReal : public ::testing::TestWithParam<RealSet> {};

TEST_P(BenchmarkAppReal, AllFilesTellOneStory) {
  PLANEX_NEED_TEST_DATA(data);
  const RealSet& expected = GetParam();
  const PlanModel model = test::must(test::load_engine(data, expected.name));
  EXPECT_EQ(model.text(model.engine.name[0]), expected.name);
  EXPECT_EQ(model.text(model.engine.producer_version[0]), "2026.4.1");
  EXPECT_EQ(model.text(model.engine.device[0]), "CPU");
  std::vector<std::string> kinds;
  for (const auto kind : model.files.kind.values()) kinds.emplace_back(model.text(kind));
  EXPECT_THAT(kinds, ElementsAre("openvino-exec-graph", "openvino-counters", "openvino-report",
                                 "openvino-log"));
  for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
    EXPECT_EQ(model.diagnostics.severity[row], model::Severity::kInfo)
        << model.text(model.diagnostics.message[row]);
  }

  EXPECT_EQ(model.layers.row_count(), expected.records);
  std::size_t work = 0, fused = 0;
  std::int64_t weights = 0, macs = 0, written = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    weights += model.layers.weight_bytes.get(row).value_or(0);
    const bool works = model.layers.role[row] == Role::kWork;
    EXPECT_EQ(!model.layers.mean_ms.is_null(row), works) << model.text(model.layers.name[row]);
    if (!works) continue;
    ++work;
    macs += model.layers.macs.get(row).value_or(0);
    ASSERT_FALSE(model.layers.output_bytes.is_null(row));
    written += model.layers.output_bytes[row];
    EXPECT_FALSE(model.layers.compute_precision.is_null(row));
  }
  for (const auto section : model.metadata.section.values()) {
    if (model.text(section) == "fused operations") ++fused;
  }
  EXPECT_EQ(work, expected.work_layers);
  EXPECT_EQ(fused, expected.fused);
  EXPECT_EQ(weights, expected.weight_bytes);
  EXPECT_EQ(macs, expected.macs);
  EXPECT_EQ(written, expected.written_bytes);

  const Reconciliation time = analyze::reconcile(model);
  ASSERT_TRUE(time.layers_mean_ms);
  EXPECT_NEAR(*time.layers_mean_ms, expected.layers_ms, 1e-9);
  ASSERT_TRUE(time.end_to_end);
  EXPECT_EQ(time.end_to_end->source, "report");
  EXPECT_EQ(time.end_to_end->field, "latency");
  EXPECT_EQ(time.end_to_end->count, 60);
  EXPECT_EQ(time.end_to_end->median_ms, expected.median_ms);
  EXPECT_EQ(time.end_to_end->mean_ms, expected.mean_ms);
  EXPECT_FALSE(time.overhead_us_per_layer) << "the same inferences were timed and profiled";
  EXPECT_NEAR(time.throughput_per_s.value_or(0), expected.throughput_per_s, 0.01);
  // Σ layers includes the first inference, so compare it with a mean that does, too.
  const double with_first = (expected.mean_ms * 60 + expected.first_ms) / 61;
  EXPECT_NEAR(*time.layers_mean_ms / with_first, expected.coverage, 0.001);
}

std::string test_name(const ::testing::TestParamInfo<RealSet>& set) {
  std::string name = set.param.name;
  for (char& c : name) {
    if (c == '-' || c == '.') c = '_';
  }
  return name;
}
INSTANTIATE_TEST_SUITE_P(Sets, BenchmarkAppReal, ::testing::ValuesIn(kSets), test_name);

TEST(BenchmarkAppRealFiles, CountersAloneAreAnEngineOfTypesAndTimes) {
  PLANEX_NEED_TEST_DATA(data);
  const std::string folder = data + "/engines/openvino2026.4-resnet18-qdq-shared-b8/";
  const PlanModel model =
      test::must(load_alone(test::read_text(folder + "benchmark_detailed_counters_report.csv")));
  std::size_t work = 0;
  for (const Role role : model.layers.role.values()) work += role == Role::kWork ? 1 : 0;
  EXPECT_EQ(work, 26u);
  EXPECT_EQ(model.layers.row_count(), 30u);
  EXPECT_EQ(model.ports.row_count(), 0u);
  EXPECT_NEAR(analyze::reconcile(model).layers_mean_ms.value_or(0), 8.550, 1e-9);
  const std::size_t row = row_of(model, "Multiply_9331");
  EXPECT_EQ(model.text(model.layers.tactic[row]), "brgconv_avx512_amx_i8");
  EXPECT_EQ(model.layers.family[row], model::Family::kConvolution);
  EXPECT_EQ(model.layers.tensor_cores.get(row), 1);
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("no-tensors"));
}

TEST(BenchmarkAppRealFiles, ReportAndLogAloneAreNoEngine) {
  const auto memory =
      test::memory_files({{"run/benchmark_report.csv", kReport}, {"run/benchmark_app.log", kLog}});
  const auto model = test::load_completed({.path = "run"}, memory);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().context, AllOf(HasSubstr("benchmark report"), HasSubstr("log")));
}

// --- Counters ---

TEST(BenchmarkCounters, CsvGivesTimesAndFusedOperations) {
  const PlanModel model = test::must(load_with(kCsv));
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "a")), 0.12);
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "b")), 0.06);
  EXPECT_TRUE(model.layers.mean_ms.is_null(row_of(model, "x")));
  EXPECT_TRUE(model.layers.median_ms.is_null(row_of(model, "a"))) << "a mean has no median";
  EXPECT_EQ(test::value_of(model, "fused operations", "relu"), "Relu");
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
  EXPECT_EQ(model.files.record_count.get(1), 4);
  EXPECT_EQ(model.files.joined_count.get(1), 3);
}

TEST(BenchmarkCounters, LineEndsAndTrailingSeparatorsDoNotMatter) {
  std::string text;
  for (const char c : kCsv) text += c == '\n' ? std::string(";\r\n") : std::string(1, c);
  text = replaced(text, "Total;;;;0.180;0.180;", "Total;;;;0.18;0.18;");
  const PlanModel model = test::must(load_with("\xEF\xBB\xBF" + text));
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "b")), 0.06);
  // A line that contains only the separator.
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("byte-order-mark", "bad-row"));
}

TEST(BenchmarkCounters, SeveralRequestsAreSamples) {
  const std::string second =
      replaced(replaced(std::string(kCsv), "0.120", "0.180"), "Total;;;;0.180", "Total;;;;0.240");
  const PlanModel model = test::must(load_with(std::string(kCsv) + second + std::string(kCsv)));
  const std::size_t row = row_of(model, "a");
  EXPECT_DOUBLE_EQ(model.layers.mean_ms[row], 0.14);
  EXPECT_EQ(model.layers.median_ms.get(row), 0.12);
  EXPECT_EQ(model.layers.min_ms.get(row), 0.12);
  EXPECT_EQ(model.layers.max_ms.get(row), 0.18);
  EXPECT_EQ(test::value_of(model, "profile", "requests"), "3");
}

TEST(BenchmarkCounters, RequestsThatShareTheirCountersAreOneSample) {
  const PlanModel model = test::must(load_with(std::string(kCsv) + std::string(kCsv)));
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "a")), 0.12);
  EXPECT_TRUE(model.layers.median_ms.is_null(row_of(model, "a")));
}

TEST(BenchmarkCounters, OddRowsAreReported) {
  struct Case {
    std::string_view from, to, code;
  };
  const Case cases[] = {
      {"0.120;0.120", "nan;0.120", "bad-time"},
      {"0.120;0.120", "-0.120;0.120", "bad-time"},
      {"0.120;0.120", "inf;0.120", "bad-time"},
      {"0.120;0.120", "0,120;0.120", "bad-time"},
      {"0.120;0.120", "0.120", "bad-row"},
      {"a;Status.EXECUTED;Add", "a", "bad-row"},
      {"a;Status", "ghost;Status", "profile-row-without-layer"},
      {"b;Status", "a;Status", "profile-row-without-layer"},
      {"Total;;;;0.180", "Total;;;;9.180", "wrong-total"},
      {"Total;;;;0.180;0.180\n", "", "no-total"},
      {"relu", "re\xFFlu", "not-utf8"},
  };
  for (const Case& odd : cases) {
    const PlanModel model = test::must(load_with(replaced(std::string(kCsv), odd.from, odd.to)));
    EXPECT_THAT(test::diagnostic_codes(model), Contains(odd.code)) << odd.to;
  }
}

TEST(BenchmarkCounters, NamesMayHoldSeparators) {
  base::MemoryFiles files;
  files.add("engine/exec_graph.xml",
            replaced(std::string(kGraph), R"(name="a")", R"(name="a;1;2")"));
  files.add("engine/c.csv", replaced(std::string(kCsv), "a;Status", "a;1;2;Status"));
  const PlanModel model = test::must(test::load_completed({.path = "engine"}, files));
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "a;1;2")), 0.12);
}

TEST(BenchmarkCounters, ColumnsAreFoundByName) {
  const PlanModel model =
      test::must(load_with("layerName;realTime (ms)\na;0.2\nx;0\nb;0.1\nTotal;0.3\n"));
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "a")), 0.2);
  const auto no_time = load_with("layerName;execStatus;realTimeX (us)\na;EXECUTED;1\n");
  ASSERT_FALSE(no_time);
  EXPECT_THAT(no_time.error().message, HasSubstr("expected a column with (ms)"));
  const auto named = test::load_completed(
      {.path = "engine/exec_graph.xml", .profile = "engine/c.txt"},
      test::memory_files({{"engine/exec_graph.xml", kGraph}, {"engine/c.txt", "layerName;x\n"}}));
  ASSERT_FALSE(named);
}

TEST(BenchmarkCounters, SortedKindOfThePythonProgram) {
  const PlanModel model = test::must(load_with(
      "layerName,execStatus,layerType,execType,realTime (ms),cpuTime (ms),\"proportion (%)\n\"\n"
      "a,Status.EXECUTED,Add,jit_avx512_f32,0.120,0.120,66.67%\n"
      "\"b\",Status.EXECUTED,Softmax,jit_avx512_f32,0.060,0.060,33.33%\n\n"
      "Total time: 0.18 milliseconds\nTotal CPU time: 0.18 milliseconds\n\n\n"));
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "a")), 0.12);
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "b")), 0.06);
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("layer-without-time"))
      << "the sorted kind has no row of the input";
}

constexpr std::string_view kJson =
    R"({"detailed_performance": [{"nodes": [
      {"cpu_time": 0.12, "exec_type": "jit_avx512_f32", "name": "a", "node_type": "Add",
       "real_time": 0.12, "status": "EXECUTED", "%": 66.7},
      {"name": "relu", "node_type": "Relu", "status": "NOT_RUN", "real_time": "0.000",
       "cpu_time": "0.000", "exec_type": "undef"},
      {"name": "b", "node_type": "Softmax", "status": "Status.EXECUTED", "real_time": "0.060",
       "cpu_time": "0.050", "exec_type": "jit_avx512_f32"}],
      "total_real_time": 0.18, "total_cpu_time": 0.17}], "report_type": "detailed"})";

TEST(BenchmarkCounters, JsonOfBothPrograms) {
  const PlanModel model = test::must(load_with(kJson));
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "a")), 0.12);
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "b")), 0.06);
  EXPECT_EQ(model.attribute(LayerId(row_of(model, "b")), "cpu_time_ms"), "0.05");
  EXPECT_EQ(model.attribute(LayerId(row_of(model, "a")), "cpu_time_ms"), "");
  EXPECT_EQ(test::value_of(model, "fused operations", "relu"), "Relu");
  EXPECT_EQ(test::value_of(model, "counters", "report_type"), "detailed");

  const std::string average = replaced(
      replaced(std::string(kJson), R"("detailed_performance": [)", R"("avg_performance": )"),
      "}], \"report_type\"", "}, \"report_type\"");
  EXPECT_EQ(test::must(load_with(average)).layers.mean_ms.get(2), 0.12);
}

TEST(BenchmarkCounters, JsonErrorsNamePointer) {
  struct Case {
    std::string_view from, to, pointer;
  };
  const Case cases[] = {
      {R"("name": "a")", R"("name": 7)", "/detailed_performance/0/nodes/0/name"},
      {R"("real_time": 0.12)", R"("real_time": [])", "/detailed_performance/0/nodes/0/real_time"},
      {R"({"nodes": [)", R"({"nodes": 1, "n": [)", "/detailed_performance/0/nodes"},
      // An older program wrote the keys of the rows instead of the rows.
      {R"({"nodes": [)", R"({"nodes": ["name", )", "/detailed_performance/0/nodes/0"},
  };
  for (const Case& bad : cases) {
    const auto model = load_with(replaced(std::string(kJson), bad.from, bad.to));
    ASSERT_FALSE(model) << bad.to;
    EXPECT_EQ(model.error().code, ErrorCode::kBadInput);
    EXPECT_EQ(model.error().json_pointer, bad.pointer) << test::to_text(model.error());
  }
  const PlanModel odd = test::must(
      load_with(replaced(std::string(kJson), R"("real_time": "0.060")", R"("real_time": "nan")")));
  EXPECT_THAT(test::diagnostic_codes(odd), Contains("bad-time"));
}

TEST(BenchmarkCounters, AloneTheyNameLayers) {
  const PlanModel model = test::must(
      load_alone(replaced(replaced(std::string(kCsv), "Total;;;;0.180;0.180\n",
                                   "c;Status.NOT_RUN;Reorder;jit_uni_f32;0.000;0.000\n"
                                   "d;Status.NOT_RUN;Subgraph;jit_avx512_f32;0.000;0.000\n"
                                   "e;OPTIMIZED_OUT;Concat;unknown_f32;0.000;0.000\n"
                                   "y/sink_port_0;Status.NOT_RUN;Result;unknown_f32;0.000;0.000\n"
                                   "Total;;;;0.180;0.180\n"),
                          "jit_avx512_f32;0.120", "brgemm_avx512_amx_bf16;0.120")));
  const auto role = [&](std::string_view name) { return model.layers.role[row_of(model, name)]; };
  EXPECT_EQ(role("x"), Role::kInput);
  EXPECT_EQ(role("a"), Role::kWork);
  EXPECT_EQ(role("c"), Role::kNoOp);
  EXPECT_EQ(role("d"), Role::kWork) << "less than a microsecond, perhaps";
  EXPECT_EQ(role("e"), Role::kNoOp);
  EXPECT_EQ(role("y/sink_port_0"), Role::kOutput);
  EXPECT_THROW(row_of(model, "relu"), std::out_of_range) << "another layer does it";
  EXPECT_EQ(model.layers.compute_precision[row_of(model, "a")], model::DType::kBf16);
  EXPECT_EQ(model.layers.mean_ms.get(row_of(model, "a")), 0.12);
  EXPECT_TRUE(model.layers.mean_ms.is_null(row_of(model, "d")));
  ASSERT_EQ(model.bindings.row_count(), 2u);
  EXPECT_EQ(model.text(model.bindings.name[1]), "y");
  EXPECT_EQ(model.text(model.engine.producer[0]), "openvino");
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("no-tensors", "time-below-resolution"));
}

TEST(BenchmarkCounters, ManyRequestsAndRows) {
  std::string text;
  for (int request = 0; request < 200; ++request) {
    text += "layerName;execStatus;realTime (ms)\n";
    for (int i = 0; i < 500; ++i) text += format("l{};EXECUTED;0.00{}\n", i % 400, request % 9 + 1);
  }
  const PlanModel model = test::must(load_alone(text));
  EXPECT_EQ(model.layers.row_count(), 500u) << "the second l7 of each request is another layer";
}

// --- Reports ---

TEST(BenchmarkReport, CsvGivesLatencies) {
  const PlanModel model = test::must(load_with(kReport));
  const Reconciliation time = analyze::reconcile(model);
  ASSERT_TRUE(time.end_to_end);
  EXPECT_EQ(time.end_to_end->median_ms, 0.19);
  EXPECT_EQ(time.end_to_end->mean_ms, 0.20);
  EXPECT_EQ(time.end_to_end->min_ms, 0.18);
  EXPECT_EQ(time.end_to_end->max_ms, 0.31);
  EXPECT_FALSE(time.end_to_end->p99_ms);
  EXPECT_EQ(time.end_to_end->count, 100);
  EXPECT_TRUE(time.end_to_end->has_layer_times);
  EXPECT_EQ(time.throughput_per_s, 5000);
  EXPECT_EQ(model.text(model.engine.device[0]), "CPU");
  EXPECT_EQ(test::value_of(model, "command line parameters", "-m"), "m.onnx");
  EXPECT_EQ(test::value_of(model, "execution results", "throughput"), "5000.00");
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre());
}

TEST(BenchmarkReport, CsvOfTheCppProgram) {
  std::string text;
  for (const char c : kReport) text += c == '\n' ? std::string(";\r\n") : std::string(1, c);
  text = replaced(text, "latency (ms)", "Median latency (ms)");
  text = replaced(text, "avg latency", "Average latency (ms)");
  text = replaced(text, "-report_type", "report_type");
  const PlanModel model = test::must(load_with(text));
  const Reconciliation time = analyze::reconcile(model);
  ASSERT_TRUE(time.end_to_end);
  EXPECT_EQ(time.end_to_end->median_ms, 0.19);
  EXPECT_EQ(time.end_to_end->mean_ms, 0.20);
  EXPECT_TRUE(time.end_to_end->has_layer_times);
  EXPECT_EQ(test::value_of(model, "command line parameters", "-json_stats"), "");
}

TEST(BenchmarkReport, JsonOfBothPrograms) {
  const std::string python =
      R"json({"cmd_options": {"-m": "m.onnx", "-report_type": "no_counters"},
          "configuration_setup": {"target device": "GPU.0", "inference_only": true},
          "execution_results": {"latency (ms)": "0.19", "total number of iterations": "100"}})json";
  PlanModel model = test::must(load_with(python));
  ASSERT_TRUE(analyze::reconcile(model).end_to_end);
  EXPECT_EQ(analyze::reconcile(model).end_to_end->median_ms, 0.19);
  EXPECT_FALSE(analyze::reconcile(model).end_to_end->has_layer_times);
  EXPECT_EQ(model.text(model.engine.device[0]), "GPU.0");
  EXPECT_EQ(test::value_of(model, "configuration setup", "inference_only"), "true");

  const std::string cpp =
      R"({"cmd_options": {"pc": "1"}, "configuration_setup": {"nireq": 4, "target_device": "CPU"},
          "execution_results": {"latency_median": 0.19, "percentile_boundary": 95,
          "latency_avg": 0.2, "latency_min": 0.18, "latency_max": 0.31, "iterations_num": 100,
          "execution_time": 20.0}})";
  model = test::must(load_with(cpp));
  const Reconciliation time = analyze::reconcile(model);
  ASSERT_TRUE(time.end_to_end);
  EXPECT_FALSE(time.end_to_end->median_ms) << "the program calls any percentile the median";
  EXPECT_EQ(time.end_to_end->p95_ms, 0.19);
  EXPECT_EQ(time.end_to_end->mean_ms, 0.2);
  EXPECT_EQ(time.throughput_per_s, 5000);
  EXPECT_FALSE(time.gap_ms) << "no median to compare with";
  EXPECT_THAT(test::diagnostic_codes(model), Contains("parallel-requests"));
}

TEST(BenchmarkReport, OddFiguresAreReported) {
  PlanModel model = test::must(
      load_with(replaced(std::string(kReport), "latency (ms);0.19", "latency (ms);nan")));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("bad-figure"));
  EXPECT_FALSE(analyze::reconcile(model).end_to_end->median_ms);
  model = test::must(load_with(replaced(std::string(kReport), "latency (ms);0.19\n",
                                        "latency (90 percentile) (ms);0.19\nerror;no device\n")));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("benchmark-failed"));
  EXPECT_EQ(analyze::reconcile(model).end_to_end->p90_ms, 0.19);
  model = test::must(load_with("Command line parameters\n"));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("empty-report"));
  EXPECT_FALSE(analyze::reconcile(model).end_to_end);
}

TEST(BenchmarkReport, SlowFirstInferenceIsTold) {
  const PlanModel model = test::must(load_with(replaced(
      std::string(kReport), "first inference time (ms);0.40", "first inference time (ms);20.2")));
  ASSERT_THAT(test::diagnostic_codes(model), ElementsAre("first-inference-counted"));
  // (0.20 · 100 + 20.2) / 101 = 0.398
  EXPECT_THAT(std::string(model.text(model.diagnostics.message[0])),
              AllOf(HasSubstr("20.2 ms"), HasSubstr("0.40 ms, 99.0 % more")));
}

// --- Logs ---

TEST(BenchmarkLog, GivesVersionDeviceAndLatencies) {
  const PlanModel model = test::must(load_with(kLog));
  EXPECT_EQ(model.text(model.engine.producer_version[0]), "2024.4.0");
  EXPECT_EQ(model.text(model.engine.device[0]), "CPU") << "what AUTO chose";
  EXPECT_EQ(test::value_of(model, "benchmark durations", "Read model"), "6.18 ms");
  EXPECT_EQ(test::value_of(model, "runtime configuration", "PERF_COUNT"), "YES");
  EXPECT_EQ(test::value_of(model, "original model inputs", "63 , x (node: x)"),
            "f32 / [...] / [?,4]");
  const Reconciliation time = analyze::reconcile(model);
  ASSERT_TRUE(time.end_to_end);
  EXPECT_EQ(time.end_to_end->source, "log");
  EXPECT_EQ(time.end_to_end->median_ms, 0.19);
  EXPECT_EQ(time.end_to_end->count, 100);
  EXPECT_TRUE(time.end_to_end->has_layer_times);
  EXPECT_EQ(time.throughput_per_s, 5000);
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("parallel-requests"));
}

TEST(BenchmarkLog, WarningsErrorsAndOtherLinesAreReported) {
  const PlanModel model = test::must(load_with(
      replaced(std::string(kLog), "[Step 4/11]",
               "[ WARNING ] Performance hint was not explicitly specified\r\n"
               "[ ERROR ] Exception from src/inference\nTraceback (most recent call last):\n"
               "  File \"main.py\"\n[Step 4/11]")));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("benchmark-warning", "benchmark-error",
                                                         "unread-lines", "parallel-requests"));
  EXPECT_EQ(model.diagnostics.severity[0], model::Severity::kWarning);
  EXPECT_EQ(model.diagnostics.severity[1], model::Severity::kError);
  EXPECT_FALSE(model.diagnostics.byte_offset.is_null(0));
}

TEST(BenchmarkLog, ResultsWithoutTagsAndPercentiles) {
  const PlanModel model =
      test::must(load_with("[Step 1/11] Parsing and validating input arguments\n"
                           "[Step 11/11] Dumping statistics report\nCount:      100 iterations\n"
                           "Duration:   20.00 ms\nLatency:\n    90 percentile:     0.30 ms\n"
                           "    Average:    0.20 ms\n"));
  const Reconciliation time = analyze::reconcile(model);
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("unread-lines"));
  EXPECT_EQ(time.throughput_per_s, 5000);
}

TEST(BenchmarkLog, ReportGoesBeforeLog) {
  PlanModel model = test::must(load_with(kLog, kReport));
  EXPECT_EQ(analyze::reconcile(model).end_to_end->source, "report");
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("other-run")));
  model = test::must(load_with(
      replaced(std::string(kLog), "Median:        0.19", "Median:        0.29"), kReport));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("other-run"));
  EXPECT_EQ(analyze::reconcile(model).end_to_end->median_ms, 0.19);
}

// --- All of them ---

TEST(BenchmarkAppSniff, ByContent) {
  for (const auto& [text, id] :
       {std::pair<std::string_view, std::string_view>{kCsv, "openvino-counters"},
        {kJson, "openvino-counters"},
        {kReport, "openvino-report"},
        {kLog, "openvino-log"}}) {
    const ReaderInfo* reader = sniff(text);
    ASSERT_NE(reader, nullptr) << id;
    EXPECT_EQ(reader->id, id);
  }
  EXPECT_EQ(sniff_counters(R"({"report_type": "x"})"), Confidence::kNo);
  EXPECT_EQ(sniff_counters("name;time\n"), Confidence::kNo);
  EXPECT_EQ(sniff_report("{\"execution_results\": {}}"), Confidence::kNo);
  EXPECT_EQ(sniff_report("Results\n"), Confidence::kNo);
  EXPECT_EQ(sniff_benchmark_log("[Step 1/3] Cooking\n"), Confidence::kNo);
  for (const auto sniffer : {sniff_counters, sniff_report, sniff_benchmark_log}) {
    EXPECT_EQ(sniffer(""), Confidence::kNo);
    EXPECT_EQ(sniffer("\n\n"), Confidence::kNo);
  }
}

// Each result is a model or an error with the file's name.
TEST(BenchmarkAppDamage, IsAModelOrAnError) {
  std::mt19937 random(7);
  for (const std::string_view whole : {kGraph, kCsv, kJson, kReport, kLog}) {
    const ReaderInfo* reader = sniff(whole);
    ASSERT_NE(reader, nullptr);
    for (int round = 0; round < 400; ++round) {
      std::string text(whole);
      const std::size_t at = random() % text.size();
      switch (round % 4) {
        case 0:
          text.resize(at);
          break;
        case 1:
          text[at] = static_cast<char>(random());
          break;
        case 2:
          text.erase(at, random() % 40);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 80));
          break;
      }
      model::ModelBuilder builder;
      Artefact artefact{.path = "damaged", .bytes = base::make_bytes(text)};
      artefact.file_row = builder.add_file("damaged", reader->id, "", text.size());
      const auto read = reader->read(artefact, builder);
      artefact.bytes.reset();
      if (!read) {
        EXPECT_EQ(read.error().file, "damaged");
        EXPECT_FALSE(read.error().message.empty());
        continue;
      }
      const PlanModel model = builder.finish();
      analyze::reconcile(model);
    }
  }
}

}  // namespace
}  // namespace planex::ingest::openvino
