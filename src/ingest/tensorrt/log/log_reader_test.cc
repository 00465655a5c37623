// What a log contains besides its layers: options, times, memory, warnings, failures. Small texts
// in every release's wording, and broken ones.
#include "ingest/tensorrt/log/log_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "base/text.h"
#include "ingest/tensorrt/log/log_test_support.h"
#include "support/model_texts.h"
#include "support/test_data.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using model::PlanModel;
using test::kMissing;
using test::messages_of;
using test::value_of;
using test::with_crlf;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// A log beside a graph file.
PlanModel read_beside(std::string_view graph, std::string_view log) {
  const base::MemoryFiles files =
      test::memory_files({{"engine/x.graph.json", graph}, {"engine/x.log", log}});
  return test::must(test::load_completed({.path = "engine"}, files));
}

constexpr std::string_view kRunning =
    "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=m.onnx --dumpProfile\n";
constexpr std::string_view kPassed =
    "&&&& PASSED TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=m.onnx --dumpProfile\n";
// Every line with the prefix of trtexec.
std::string info(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    text += format("[05/18/2022-10:20:30] [I] {}\n", lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}
std::string run_of(std::string_view body) {
  return std::string(kRunning) + std::string(body) + std::string(kPassed);
}
constexpr std::string_view kSummary8 =
    "=== Performance summary ===\n"
    "Throughput: 100.5 qps\n"
    "Latency: min = 1 ms, max = 5 ms, mean = 2.5 ms, median = 2 ms, percentile(99%) = 4 ms\n"
    "GPU Compute Time: min = 0.5 ms, max = 4 ms, mean = 2 ms, median = 1.5 ms, percentile(50%) = "
    "1.5 ms, percentile(90%) = 3 ms, percentile(99.9%) = 3.9 ms\n"
    "Total Host Walltime: 3.00049 s\n"
    "Explanations of the performance metrics are printed in the verbose logs.\n";

constexpr std::string_view kGraph =
    R"({"Layers": [
      {"Name": "a", "LayerType": "NoOp", "Inputs": [], "Outputs": []},
      {"Name": "b, c", "LayerType": "NoOp", "Inputs": [], "Outputs": []}], "Bindings": []})";

TEST(LogSniff, KnowsTensorRtLogs) {
  EXPECT_EQ(sniff_log(kRunning), Confidence::kSure);
  EXPECT_EQ(sniff_log("noise\n[V] [TRT] a\n[I] [TRT] b\n"), Confidence::kSure);
  EXPECT_EQ(sniff_log("[VERBOSE] Importing initializer: a\n[INFO] ONNX IR version:  0.0.9\n"),
            Confidence::kSure);
  EXPECT_EQ(sniff_log("[I] [TRT] b\n"), Confidence::kMaybe);
  EXPECT_EQ(sniff_log("Name: a, LayerType: gemm, Inputs: [ { Name: x }], Outputs: []\n"),
            Confidence::kMaybe);
  for (const std::string_view other :
       {"", "[INFO] Scanning for projects...\n[INFO] BUILD SUCCESS\n",
        "[Step 1/11] Parsing\n[ INFO ] OpenVINO:\n[ INFO ] Build\n", "{\"Layers\": []}",
        "plain text about TensorRT and Myelin\n"}) {
    EXPECT_EQ(sniff_log(other), Confidence::kNo) << other;
  }
}

TEST(LogSniff, NamesTheFilesOfItsRuns) {
  const std::vector<LoggedRun> runs = logged_runs(
      "head\n&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # t --onnx=m.onnx "
      "--saveEngine=b/e.plan "
      "--exportLayerInfo=/a/l.json --exportTimes=t.json --skipInference\n"
      "&&&& FAILED TensorRT.trtexec [TensorRT v8601] # t\n"
      "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # t --loadEngine=./e.plan "
      "--exportProfile=p.json\n");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_THAT(runs[0].written, ElementsAre("l.json", "t.json"));
  EXPECT_EQ(runs[0].saved_engine, "b/e.plan");
  EXPECT_EQ(runs[0].version, "8.6.1");
  EXPECT_TRUE(runs[0].builds && runs[0].has_failed && !runs[0].measures);
  EXPECT_THAT(runs[1].written, ElementsAre("p.json"));
  EXPECT_EQ(runs[1].loaded_engine, "./e.plan");
  EXPECT_TRUE(!runs[1].builds && !runs[1].has_failed && runs[1].measures);
  EXPECT_THAT(logged_runs("[I] [TRT] a\n"), IsEmpty());
}

TEST(LogSections, KeepsWholeValuesUnknownSectionsAndKeys) {
  const std::string log = run_of(
      info("=== Build Options ===\nMemory Pools: workspace: 1024 MiB, dlaSRAM: default\nA:B\n"
           "Calibration: \nSome New Key: 1\n=== Invented Section ===\nKey: value\n\nNot: kept\n"
           "=== Inference Options ===\nInput inference shape : x:0=4x1\nInputs:\nx<-f.raw\n"
           "y<-g.raw\n=== Device Information ===\nSelected Device: Some GPU") +
      "[05/18/2022-10:20:30] [W] mixed in\n" + info("Compute Capability: 8.9\n") +
      "[05/18/2022-10:20:30] [V] === Explanations ===\n[05/18/2022-10:20:30] [V] Latency: prose\n");
  for (const std::string& text : {log, with_crlf(log)}) {
    const PlanModel model = load_log(text);
    EXPECT_EQ(value_of(model, "build_options", "Memory Pools"),
              "workspace: 1024 MiB, dlaSRAM: default");
    EXPECT_EQ(value_of(model, "build_options", "A"), "B");
    EXPECT_EQ(value_of(model, "build_options", "Calibration"), "");
    EXPECT_EQ(value_of(model, "build_options", "Some New Key"), "1");
    EXPECT_EQ(value_of(model, "invented_section", "Key"), "value");
    EXPECT_EQ(value_of(model, "invented_section", "Not"), kMissing);
    EXPECT_EQ(value_of(model, "inference_options", "Input inference shape"), "x:0=4x1");
    EXPECT_EQ(value_of(model, "inference_options", "Inputs"), "x<-f.raw");
    EXPECT_EQ(value_of(model, "device_information", "Compute Capability"), "8.9");
    EXPECT_EQ(value_of(model, "explanations", "Latency"), kMissing);
    EXPECT_EQ(model.text(model.engine.device[0]), "Some GPU");
    EXPECT_EQ(version_of(model), "8.6.1");
  }
}

TEST(LogSections, BuildOptionsOfALoadedEngineAreDefaults) {
  const std::string log =
      "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --loadEngine=e.plan\n" +
      info("=== Build Options ===\nPrecision: FP32\n") +
      "&&&& PASSED TensorRT.trtexec [TensorRT v8601] # trtexec --loadEngine=e.plan\n";
  const PlanModel model = load_log(log);
  EXPECT_EQ(value_of(model, "build_options", "Precision"), kMissing);
  EXPECT_EQ(value_of(model, "build_options (defaults)", "Precision"), "FP32");
}

TEST(LogPerformance, ReadsAnyPercentiles) {
  const PlanModel model = load_log(run_of(
      info("Warmup completed 5 queries over 200 ms\nTiming trace has 7 queries over 3.1 s\n") +
      info(kSummary8)));
  EXPECT_EQ(value_of(model, "performance_summary", "Latency"), "[1, 5, 2.5, 2, 4]");
  EXPECT_EQ(value_of(model, "performance_summary", "Throughput"), "100.5");
  EXPECT_EQ(value_of(model, "performance_summary", "Total Host Walltime"), "3.00049");
  EXPECT_EQ(value_of(model, "measurement", "queries"), "7");
  EXPECT_EQ(value_of(model, "measurement", "warmup_ms"), "200");
}

TEST(LogPerformance, BecomesEndToEnd) {
  const PlanModel model = load_log(run_of(
      info("Timing trace has 7 queries over 3.1 s\n=== Performance summary ===\n"
           "Throughput: 100.5 qps\n"
           "GPU Compute Time: min = 0.5 ms, max = inf ms, mean = nan ms, median = 1.5 ms, "
           "percentile(50%) = 1.5 ms, percentile(90%) = 3 ms, percentile(99.9%) = 3.9 ms\n")));
  EXPECT_EQ(value_of(model, "performance_summary", "GPU Compute Time"),
            "[0.5, inf, nan, 1.5, 1.5, 3, 3.9]");
  const analyze::Reconciliation reconciliation = analyze::reconcile(model);
  ASSERT_TRUE(reconciliation.end_to_end);
  EXPECT_EQ(reconciliation.end_to_end->source, "log");
  EXPECT_EQ(reconciliation.end_to_end->count, 7);
  EXPECT_EQ(reconciliation.end_to_end->min_ms, 0.5);
  EXPECT_EQ(reconciliation.end_to_end->median_ms, 1.5);
  EXPECT_EQ(reconciliation.end_to_end->p90_ms, 3);
  EXPECT_FALSE(reconciliation.end_to_end->max_ms);
  EXPECT_FALSE(reconciliation.end_to_end->mean_ms);
  EXPECT_FALSE(reconciliation.end_to_end->p99_ms);
  EXPECT_EQ(reconciliation.throughput_per_s, 100.5);
}

TEST(LogPerformance, ReadsTheBlocksOfTensorRt7) {
  const PlanModel model = load_log(
      "&&&& RUNNING TensorRT.trtexec # ./trtexec --onnx=m.onnx\n" +
      info("Average on 10 runs - GPU latency: 4.5 ms - Host latency: 4.9 ms (end to end 8 ms)\n"
           "Host Latency\nmin: 4.9 ms (end to end 8.1 ms)\nmax: 5.5 ms (end to end 9.7 ms)\n"
           "mean: 5 ms (end to end 8.9 ms)\nmedian: 4.95 ms (end to end 8.5 ms)\n"
           "percentile: 5.4 ms at 99% (end to end 9.5 ms at 99%)\nthroughput: 120 qps\n"
           "walltime: 3.1 s\nEnqueue Time\nmin: 0.7 ms\nmax: 1.3 ms\nmedian: 0.8 ms\n"
           "GPU Compute\nmin: 4.5 ms\nmax: 5.1 ms\nmean: 4.6 ms\nmedian: 4.55 ms\n"
           "percentile: 5 ms at 99%\ntotal compute time: 2.9 s\n") +
      "&&&& PASSED TensorRT.trtexec # ./trtexec --onnx=m.onnx\n");
  constexpr std::string_view kSection = "performance_summary";
  EXPECT_EQ(value_of(model, kSection, "Latency"), "[4.9, 5.5, 5, 4.95, 5.4]");
  EXPECT_EQ(value_of(model, kSection, "End-to-End Host Latency"), "[8.1, 9.7, 8.9, 8.5, 9.5]");
  EXPECT_EQ(value_of(model, kSection, "Enqueue Time"), "[0.7, 1.3, null, 0.8]");
  EXPECT_EQ(value_of(model, kSection, "GPU Compute Time"), "[4.5, 5.1, 4.6, 4.55, 5]");
  EXPECT_EQ(value_of(model, kSection, "percentiles"), "[99]");
  EXPECT_EQ(value_of(model, kSection, "Throughput"), "120");
  EXPECT_EQ(value_of(model, kSection, "Total Host Walltime"), "3.1");
  EXPECT_EQ(value_of(model, kSection, "Total GPU Compute Time"), "2.9");
  EXPECT_EQ(value_of(model, "trace_averages", "end_to_end_ms"), "[8]");
  EXPECT_EQ(version_of(model), "");
}

TEST(LogPerformance, ARunThatLoadsBeatsTheBuild) {
  const std::string build =
      "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # t --onnx=m --saveEngine=e\n" +
      info(
          "=== Model Options ===\nFormat: ONNX\n=== Performance summary ===\nThroughput: 90 "
          "qps\n") +
      "&&&& PASSED TensorRT.trtexec [TensorRT v8601] # t --onnx=m --saveEngine=e\n";
  const std::string profile =
      "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # t --loadEngine=e\n" +
      info("=== Model Options ===\nFormat: *\n=== Performance summary ===\nThroughput: 100 qps\n") +
      "&&&& PASSED TensorRT.trtexec [TensorRT v8601] # t --loadEngine=e\n";
  const base::MemoryFiles files = test::memory_files({{"engine/x.graph.json", kGraph},
                                                      {"engine/x.build.log", build},
                                                      {"engine/x.profile.log", profile}});
  const PlanModel model = test::must(test::load_completed({.path = "engine"}, files));
  EXPECT_EQ(value_of(model, "performance_summary", "Throughput"), "100");
  EXPECT_EQ(value_of(model, "performance_summary (other run)", "Throughput"), "90");
  EXPECT_THAT(test::diagnostic_codes(model), Contains("two-performance-summaries"));
}

TEST(LogPerformance, SameFiguresAsInMetadataComeOnce) {
  const base::MemoryFiles files = test::memory_files(
      {{"engine/x.graph.json", kGraph},
       {"engine/x.profile.metadata.json", R"({"performance_summary": {"Throughput": 100.50}})"},
       {"engine/x.profile.log", run_of(info(kSummary8))}});
  const PlanModel model = test::must(test::load_completed({.path = "engine"}, files));
  EXPECT_EQ(value_of(model, "performance_summary", "Throughput"), "100.50");
  EXPECT_EQ(value_of(model, "performance_summary (other run)", "Throughput"), kMissing);
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("two-performance-summaries")));
}

TEST(LogMeasurement, NormalisesTheMode) {
  constexpr std::string_view kOptions =
      "=== Inference Options ===\nInference Streams: 2\nData transfers: Enabled\n"
      "Spin-wait: Disabled\nCUDA Graph: Enabled\nSeparate profiling: Disabled\n";
  const PlanModel model = load_log(run_of(info(kOptions)));
  EXPECT_EQ(value_of(model, "measurement", "data_transfers"), "on");
  EXPECT_EQ(value_of(model, "measurement", "spin_wait"), "off");
  EXPECT_EQ(value_of(model, "measurement", "cuda_graph"), "on");
  EXPECT_EQ(value_of(model, "measurement", "streams"), "2");
  EXPECT_EQ(value_of(model, "measurement", "separate_profile_run"), "off");
  EXPECT_EQ(value_of(model, "measurement", "profiler"), "during the measurement");
  // 11.0 always profiles in a separate run, and prints no line about it.
  const PlanModel eleven =
      load_log("&&&& RUNNING TensorRT.trtexec [TensorRT v110000] [b1] # trtexec --dumpProfile\n" +
               info("=== Inference Options ===\nSpin-wait: Enabled\nData transfers: Disabled\n") +
               "&&&& PASSED TensorRT.trtexec [TensorRT v110000] [b1] # trtexec --dumpProfile\n");
  EXPECT_EQ(value_of(eleven, "measurement", "separate_profile_run"), "on");
  EXPECT_EQ(value_of(eleven, "measurement", "data_transfers"), "off");
  EXPECT_EQ(value_of(eleven, "measurement", "profiler"), "in a run of its own");
  // A graph that could not be captured was not used.
  const PlanModel failed = load_log(
      run_of(info(kOptions) + "[05/18/2022-10:20:30] [W] The CUDA graph capture on the stream has "
                              "failed.\n"));
  EXPECT_EQ(value_of(failed, "measurement", "cuda_graph"), "off: capture failed");
  EXPECT_THAT(messages_of(failed, "cuda-graph-failed"), SizeIs(1));
}

TEST(LogMeasurement, ThinsLongTraces) {
  std::string body;
  for (int i = 0; i < 2500; ++i) {
    body +=
        format("Average on 10 runs - GPU latency: {} ms - Host latency: 2 ms (enqueue 1 ms)\n", i);
  }
  const PlanModel model = load_log(run_of(info(body)));
  EXPECT_EQ(value_of(model, "trace_averages", "averages"), "2500");
  EXPECT_EQ(value_of(model, "trace_averages", "every"), "3");
  EXPECT_THAT(value_of(model, "trace_averages", "compute_ms"), testing::StartsWith("[0, 3, 6, "));
}

struct TableCase {
  const char* name;
  std::string_view table;
  bool has_median;
};
class LogTable : public testing::TestWithParam<TableCase> {};

TEST_P(LogTable, JoinsTimesToLayers) {
  const std::string log = run_of(info(GetParam().table));
  for (const std::string& text : {log, with_crlf(log)}) {
    const PlanModel model = read_beside(kGraph, text);
    EXPECT_EQ(model.layers.total_ms.get(0), 1.5);
    EXPECT_EQ(model.layers.mean_ms.get(0), 0.15);
    EXPECT_EQ(model.layers.median_ms.get(0),
              GetParam().has_median ? std::optional<double>(0.14) : std::nullopt);
    EXPECT_EQ(model.layers.count.get(0), 10);
    EXPECT_EQ(model.layers.mean_ms.get(1), 0.05);
    EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("profile-row-without-layer")));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Releases, LogTable,
    testing::Values(TableCase{"trt7",
                              "=== Profile (10 iterations ) ===\n"
                              "  Layer   Time (ms)   Avg. Time (ms)   Time %\n"
                              "      a        1.50           0.1500     75.0\n"
                              "   b, c        0.50           0.0500     25.0\n"
                              "  Total        2.00           0.2000    100.0\n",
                              false},
                    TableCase{"trt84",
                              "=== Profile (10 iterations ) ===\n"
                              "  Layer   Time (ms)   Avg. Time (ms)   Median Time (ms)   Time %\n"
                              "      a        1.50           0.1500             0.1400     75.0\n"
                              "   b, c        0.50           0.0500                nan     25.0\n"
                              "  Total        2.00           0.2000             0.2000    100.0\n",
                              true},
                    TableCase{"trt86",
                              "=== Profile (10 iterations ) ===\n"
                              "   Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer\n"
                              "       1.50       0.1500       0.1400      75.0   a\n"
                              "       0.50       0.0500          nan      25.0   b, c\n"
                              "       2.00       0.2000       0.2000     100.0   Total\n",
                              true}),
    [](const auto& test) { return test.param.name; });

TEST(LogTableAlone, MakesLayersOfNames) {
  const PlanModel model = load_log(
      run_of(info("=== Profile (3 iterations ) ===\n"
                  "   Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer\n"
                  "       1.50       0.1500       0.1400      75.0      odd   name, 1.0 2.0\n"
                  "       2.00       0.2000       0.2000     100.0   Total\n"
                  "\nThe e2e network timing is not reported since it is inaccurate\n")));
  ASSERT_EQ(model.layers.row_count(), 1u);
  EXPECT_EQ(model.text(model.layers.name[0]), "   odd   name, 1.0 2.0");
  EXPECT_EQ(model.layers.median_ms.get(0), 0.14);
  EXPECT_EQ(detail_of(model), "names-only");
  EXPECT_THAT(test::diagnostic_codes(model),
              AllOf(Contains("only-times"), Contains("no-end-to-end")));
}

TEST(LogTableAlone, TimesOfAFileComeFirst) {
  const base::MemoryFiles files = test::memory_files(
      {{"engine/x.graph.json", kGraph},
       {"engine/x.profile.json",
        R"([{"count": 1}, {"name": "a", "timeMs": 9, "averageMs": 9, "percentage": 100}])"},
       {"engine/x.log", run_of(info("=== Profile (10 iterations ) ===\n"
                                    "  Layer   Time (ms)   Avg. Time (ms)   Time %\n"
                                    "      a        1.50           0.1500     75.0\n"))}});
  const PlanModel model = test::must(test::load_completed({.path = "engine"}, files));
  EXPECT_EQ(model.layers.mean_ms.get(0), 9);
}

TEST(LogBuild, ReadsMemoryTimesAndSizes) {
  constexpr std::string_view kBody =
      "[05/18/2022-10:20:30] [I] Finished parsing network model. Parse time: 0.017\n"
      "[05/18/2022-10:20:30] [V] [TRT] Graph construction completed in 0.25 seconds.\n"
      "[05/18/2022-10:20:30] [V] [TRT] Subgraph compilation completed in 1.5 seconds.\n"
      "[05/18/2022-10:20:30] [V] [TRT] Subgraph compilation completed in 0.5 seconds.\n"
      "[05/18/2022-10:20:30] [I] [TRT] Total Activation Memory: 9000\n"
      "[05/18/2022-10:20:30] [I] [TRT] Detected 1 inputs and 2 output network tensors.\n"
      "[05/18/2022-10:20:30] [V] [TRT] Layer: a Host Persistent: 80 bytes Device Persistent: 0 "
      "bytes Scratch Memory: 64 bytes\n"
      "[05/18/2022-10:20:30] [V] [TRT] Layer: {ForeignNode[a...b]} Host Persistent: 80 Device "
      "Persistent: 0 Scratch Memory: 128\n"
      "[05/18/2022-10:20:30] [I] [TRT] Total Host Persistent Memory: 18832 bytes\n"
      "[05/18/2022-10:20:30] [I] [TRT] Total Device Persistent Memory: 0\n"
      "[05/18/2022-10:20:30] [I] [TRT] Max Scratch Memory: 128 bytes\n"
      "[05/18/2022-10:20:30] [I] [TRT] Total Activation Memory: 1000\n"
      "[05/18/2022-10:20:30] [I] [TRT] Total Weights Memory: 2000 bytes\n"
      "[05/18/2022-10:20:30] [I] [TRT] Engine generation completed in 2.5 seconds.\n"
      "[05/18/2022-10:20:30] [I] [TRT] [MemUsageStats] Peak memory usage of TRT CPU/GPU memory "
      "allocators: CPU 6 MiB, GPU 37 MiB\n"
      "[05/18/2022-10:20:30] [I] Created engine with size: 6.3747 MiB\n"
      "[05/18/2022-10:20:30] [I] Engine built in 13.8 sec.\n"
      "[05/18/2022-10:20:30] [I] [TRT] Loaded engine size: 6 MiB\n"
      "[05/18/2022-10:20:30] [I] Set shape of input tensor x for optimization profile 1 to: "
      "MIN=1x3 OPT=4x3 MAX=16x3\n"
      "[05/18/2022-10:20:30] [I] Input binding for x with dimensions 4x3 and type fp32 is "
      "created.\n";
  const PlanModel model = read_beside(kGraph, run_of(kBody));
  EXPECT_EQ(model.engine.reported_activation_bytes.get(0), 1000);
  EXPECT_EQ(model.engine.reported_weight_bytes.get(0), 2000);
  EXPECT_EQ(model.engine.reported_scratch_bytes.get(0), 128);
  EXPECT_EQ(model.layers.scratch_bytes.get(0), 64);
  EXPECT_FALSE(model.layers.scratch_bytes.get(1));
  EXPECT_EQ(value_of(model, "scratch_bytes", "{ForeignNode[a...b]}"), "128");
  EXPECT_EQ(value_of(model, "build", "host_persistent_bytes"), "18832");
  EXPECT_EQ(value_of(model, "build", "device_persistent_bytes"), "0");
  EXPECT_EQ(value_of(model, "build", "parse_s"), "0.017");
  EXPECT_EQ(value_of(model, "build", "graph_construction_s"), "0.25");
  EXPECT_EQ(value_of(model, "build", "subgraph_compilation_s"), "2");
  EXPECT_EQ(value_of(model, "build", "engine_generation_s"), "2.5");
  EXPECT_EQ(value_of(model, "build", "engine_build_s"), "13.8");
  EXPECT_EQ(value_of(model, "build", "created_engine_mib"), "6.3747");
  EXPECT_EQ(value_of(model, "build", "loaded_engine_mib"), "6");
  EXPECT_EQ(value_of(model, "build", "peak_gpu_mib"), "37");
  EXPECT_EQ(value_of(model, "build", "outputs"), "2");
  EXPECT_EQ(value_of(model, "binding_shapes", "x"), "4x3");
  ASSERT_EQ(model.profiles.row_count(), 1u);
  EXPECT_EQ(model.profiles.profile_index[0], 1);
  EXPECT_THAT(model.profiles.opt_dims[0], ElementsAre(4, 3));
}

std::string attempt(int bytes) {
  return format(
      "[I] [TRT] Total Activation Memory: {} bytes\n[I] [TRT] Total Weights Memory: 7 bytes\n"
      "[I] [TRT] Engine generation completed in 1 seconds.\n",
      bytes);
}

TEST(LogBuild, TakesTheAttemptThatWasKept) {
  const PlanModel model =
      load_log(run_of(attempt(1) + "[V] [TRT] Use backend strategy 4 as the initial choice.\n" +
                      attempt(2) + "[V] [TRT] Skip backend strategy 3since it is not faster\n" +
                      attempt(3) + "[V] [TRT] Skip backend strategy 2since it is not faster\n"));
  EXPECT_EQ(model.engine.reported_activation_bytes.get(0), 1);
  EXPECT_EQ(value_of(model, "build", "candidates"), "3");
}

TEST(LogBuild, MemoryIsUnknownWhereTheLogDoesNotSayWhichAttemptWasKept) {
  const PlanModel model = load_log(run_of(attempt(1) + attempt(2)));
  EXPECT_FALSE(model.engine.reported_activation_bytes.get(0));
  EXPECT_EQ(model.engine.reported_weight_bytes.get(0), 7);
  EXPECT_THAT(test::diagnostic_codes(model), Contains("several-candidates"));
}

TEST(LogBuild, ReadsTheSourceModelWithAndWithoutPrefix) {
  constexpr std::string_view kHeader =
      "----------------------------------------------------------------\n"
      "Input filename:   /a/m: 1.onnx\nONNX IR version:  0.0.6\nOpset version:    11\n"
      "Producer name:    \n"
      "----------------------------------------------------------------\n"
      "Not a key: of the model\n";
  for (const std::string& header : {info(kHeader), std::string(kHeader)}) {
    const PlanModel model = load_log(run_of(header));
    EXPECT_EQ(value_of(model, "source model", "Input filename"), "/a/m: 1.onnx");
    EXPECT_EQ(value_of(model, "source model", "Opset version"), "11");
    EXPECT_EQ(value_of(model, "source model", "Producer name"), "");
    EXPECT_EQ(value_of(model, "source model", "Not a key"), kMissing);
  }
}

TEST(LogVersion, AnExactOneBeatsAClass) {
  const std::string graph =
      R"({"Layers": [{"Name": "a", "LayerType": "NoOp", "Inputs": [], "Outputs": [], "StreamId": 0,
          "Metadata": ""}]})";
  const PlanModel model = read_beside(graph, run_of(info("TensorRT version: 8.6.1\n")));
  EXPECT_EQ(version_of(model), "8.6.1");
  EXPECT_THAT(std::string(model.text(model.engine.version_evidence[0])), HasSubstr("log"));
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("version-conflict")));
  const PlanModel other = read_beside(graph, run_of(info("TensorRT version: 8.4.3\n")));
  EXPECT_EQ(version_of(other), "8.6+");
  EXPECT_THAT(test::diagnostic_codes(other), Contains("version-conflict"));
}

TEST(LogVersion, NumbersOfTheLibraryAreVersions) {
  for (const auto& [word, version] : {std::pair{"8003", "8.0.3"},
                                      {"5002", "5.0.2"},
                                      {"7103", "7.1.3"},
                                      {"8.4.1", "8.4.1"},
                                      {"101600", "10.16.0"},
                                      {"11.0.0", "11.0.0"}}) {
    const PlanModel model = load_log(
        "&&&& RUNNING TensorRT.trtexec # trtexec\n" + info(format("TensorRT version: {}\n", word)) +
        info("Engine built in 2 sec.\n") + "&&&& PASSED TensorRT.trtexec # trtexec\n");
    EXPECT_EQ(version_of(model), version);
  }
}

TEST(LogMessages, KnownWarningsHaveCodes) {
  const PlanModel model = load_log(run_of(
      "[W] * Throughput may be bound by Enqueue Time rather than GPU Compute.\n"
      "[W]   If not already in use, --useCudaGraph may increase the throughput.\n"
      "[W] * Throughput may be bound by host-to-device transfers\n"
      "[W] * Throughput may be bound by device-to-host transfers\n"
      "[W] * GPU compute time is unstable, with coefficient of variance = 80.1687%.\n"
      "[W] * Multiple inference streams are used. Latencies may not be accurate\n"
      "[W] [TRT] Skip layer timing collection in CUDA graph capture mode.\n"
      "[W] Failed to collect layer timing info from previous enqueueV3()\n"
      "[W] The engine uses 2 auxiliary streams, so the \"Total\" latency may not be accurate\n"
      "[V] [TRT] Tactic: 0x12 skipped. Scratch requested: 50, available: 10\n"
      "[V] [TRT] Tactic: 0x13 skipped. Scratch requested: 40, available: 10\n"
      "[W] [TRT] onnx2trt_utils.cpp:374: INT64 weights\n"
      "[W] [TRT] onnx2trt_utils.cpp:375: INT64 weights\n"
      "WARNING: of TensorRT 7\n"));
  EXPECT_THAT(messages_of(model, "enqueue-bound"), ElementsAre(HasSubstr("--useCudaGraph")));
  EXPECT_THAT(messages_of(model, "transfer-bound"), SizeIs(2));
  EXPECT_THAT(messages_of(model, "unstable-latency"), ElementsAre(HasSubstr("80.1687%")));
  EXPECT_THAT(messages_of(model, "parallel-inferences"), SizeIs(1));
  EXPECT_THAT(messages_of(model, "profiled-with-cuda-graph"), SizeIs(2));
  EXPECT_THAT(messages_of(model, "parallel-layers"), SizeIs(1));
  EXPECT_THAT(messages_of(model, "tactics-skipped"),
              ElementsAre(AllOf(HasSubstr("2 kernels"), HasSubstr("50 bytes but 10"))));
  // Others once per kind, in their own words.
  EXPECT_THAT(messages_of(model, "trt-warning"),
              ElementsAre(AllOf(HasSubstr("INT64 weights"), HasSubstr("2 times")),
                          HasSubstr("of TensorRT 7")));
}

TEST(LogMessages, ManyKindsAreCounted) {
  std::string body;
  for (int i = 0; i < 2000; ++i)
    body += format("[W] {}\n", std::string(static_cast<size_t>(i) + 1, 'a'));
  const PlanModel model = load_log(run_of(body));
  EXPECT_LE(messages_of(model, "trt-warning").size(), 200u);
}

TEST(LogFailure, SaysWhyInWords) {
  struct Case {
    std::string_view errors, words;
  };
  constexpr Case kCases[] = {
      {"[E] [TRT] ModelImporter.cpp:949: While parsing node number 146 [Tile -> \"/Tile\"]:\n"
       "[E] [TRT] --- Begin node ---\ninput: \"/U\"\nop_type: \"Tile\"\n\n"
       "[E] Failed to parse onnx file\n[E] Parsing model failed\n[E] Engine set up failed\n",
       "rejected a node"},
      {"[E] Error[10]: Could not find any implementation for node {ForeignNode[a]}.\n"
       "[E] Engine could not be created from network\n",
       "no kernel fits"},
      {"[E] [TRT] Error Code 2: OutOfMemory (Requested size was 1 bytes.)\n"
       "[E] Engine set up failed\n",
       "memory ran out"},
      {"[E] Static dimension mismatch while setting input shape.\n[E] Inference set up failed\n",
       "shapes do not match the engine"},
      {"[E] Cannot find any available devices (GPUs)!\n", "no usable GPU"},
      {"Cuda failure at sampleDevice.h:10: no CUDA-capable device is detected\n", "CUDA call"},
      {"ERROR: onnx2trt_utils.hpp:347 In function convert_axis:\n[8] Assertion failed: axis\n"
       "[E] Parsing model failed\n",
       "check inside TensorRT"},
      {"[E] Something nobody has seen\n", "\"Something nobody has seen\""},
      // An unknown cause comes before its known consequences.
      {"[E] Error[9]: Something new (node_of_y)\n[E] Error Code 2: Internal Error (Assertion "
       "engine "
       "!= nullptr)\n[E] Engine could not be created from network\n[E] Engine set up failed\n",
       "(node_of_y)"},
      {"[E] Error[9]: [pluginV2Builder.cpp::reportPluginError::24] Error Code 9: Internal Error "
       "(node_of_y: could not find any supported formats consistent with input/output data types)\n"
       "[E] Engine could not be created from network\n[E] Building engine failed\n",
       "node_of_y"},
      {"", "2>&1"},
  };
  for (const Case& expected : kCases) {
    const PlanModel model = load_log(std::string(kRunning) + std::string(expected.errors) +
                                     "&&&& FAILED TensorRT.trtexec [TensorRT v8601] # trtexec\n");
    EXPECT_EQ(model.layers.row_count(), 0u);
    EXPECT_EQ(detail_of(model), "failed") << expected.errors;
    EXPECT_THAT(messages_of(model, "build-failed"), ElementsAre(HasSubstr(expected.words)))
        << expected.errors;
  }
}

TEST(LogMeasurement, ARunUnderAProfilerIsCalledSo) {
  for (const std::string_view line :
       {"==PROF== Connected to process 12 (/usr/bin/trtexec)\n",
        "==12== NVPROF is profiling process 12, command: trtexec\n"}) {
    const PlanModel model = load_log(
        run_of(std::string(line) + info(kSummary8) + "==PROF== Profiling \"k\" - 0: 0%\n"));
    EXPECT_THAT(messages_of(model, "run-under-profiler"), SizeIs(1));
  }
  EXPECT_THAT(messages_of(load_log(run_of(info(kSummary8))), "run-under-profiler"), SizeIs(0));
}

TEST(LogFailure, KeepsWhatBelongsToAnError) {
  const PlanModel model =
      load_log(std::string(kRunning) +
               "[E] [TRT] --- Begin node ---\ninput: \"/U\"\nop_type: \"Tile\"\n"
               "&&&& FAILED TensorRT.trtexec [TensorRT v8601] # trtexec\n");
  EXPECT_THAT(messages_of(model, "trt-error"), ElementsAre(HasSubstr("Tile")));
}

TEST(LogFailure, ErrorsOfARunThatPassedAreNoFailure) {
  const PlanModel model = load_log(
      run_of("[E] [TRT] resizePhysical Error Code 2: OutOfMemory (no further information)\n" +
             info("Engine built in 2 sec.\n")));
  EXPECT_THAT(test::diagnostic_codes(model),
              AllOf(Contains("trt-error"), Not(Contains("build-failed"))));
  EXPECT_NE(detail_of(model), "failed");
}

TEST(LogFailure, AnEngineThatDoesNotRunIsNoFailedBuild) {
  const PlanModel model = load_log(std::string(kRunning) + info("Engine built in 2 sec.\n") +
                                   "[E] Error occurred during inference\n"
                                   "&&&& FAILED TensorRT.trtexec [TensorRT v8601] # trtexec\n");
  EXPECT_THAT(test::diagnostic_codes(model),
              AllOf(Contains("run-failed"), Not(Contains("build-failed"))));
}

TEST(LogFailure, ACutLogIsNoFailure) {
  const PlanModel model = load_log(std::string(kRunning) + info(kSummary8));
  EXPECT_THAT(test::diagnostic_codes(model),
              AllOf(Contains("log-cut"), Not(Contains("build-failed"))));
  const PlanModel script = load_log(
      "[INFO] Input filename:   m.onnx\n[INFO] ONNX IR version:  0.0.9\n[VERBOSE] Parsing "
      "node: a [Conv]\n");
  EXPECT_THAT(test::diagnostic_codes(script), Contains("log-cut"));
}

TEST(LogRunsOfOneFile, ABuildAndTheRunThatTimesIt) {
  const std::string log =
      "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # t --onnx=m --saveEngine=e.plan\n" +
      info(
          "=== Build Options ===\nPrecision: FP16\n=== Inference Options ===\nSpin-wait: "
          "Disabled\n") +
      attempt(5) + "[V] [TRT] Engine Layer Information:\n" +
      "&&&& PASSED TensorRT.trtexec [TensorRT v8601] # t --onnx=m --saveEngine=e.plan\n"
      "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # t --loadEngine=e.plan\n" +
      info(
          "=== Build Options ===\nPrecision: FP32\n=== Inference Options ===\nSpin-wait: "
          "Enabled\n") +
      info(kSummary8) +
      "&&&& PASSED TensorRT.trtexec [TensorRT v8601] # t --loadEngine=e.plan\n"
      "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # t --onnx=other\n[E] bad\n"
      "&&&& FAILED TensorRT.trtexec [TensorRT v8601] # t --onnx=other\n";
  for (const std::string& text : {log, with_crlf(log)}) {
    const PlanModel model = load_log(text);
    EXPECT_EQ(value_of(model, "build_options", "Precision"), "FP16");
    EXPECT_EQ(value_of(model, "build_options (defaults)", "Precision"), "FP32");
    EXPECT_EQ(value_of(model, "inference_options", "Spin-wait"), "Enabled");
    EXPECT_EQ(value_of(model, "performance_summary", "Throughput"), "100.5");
    EXPECT_EQ(model.engine.reported_activation_bytes.get(0), 5);
    EXPECT_THAT(messages_of(model, "several-runs"),
                ElementsAre(AllOf(HasSubstr("3 runs"), HasSubstr("run 2, from line"),
                                  HasSubstr("line 1 built"))));
    EXPECT_EQ(value_of(model, "run 3", "outcome"), "failed");
    EXPECT_THAT(std::string(value_of(model, "run 3", "command")), HasSubstr("--onnx=other"));
    EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("trt-error")));
  }
}

// One build of a script, which contains every kind of line.
std::string build_of(std::string_view name, int bytes, std::string_view end) {
  const std::string ends =
      "Dimensions: [4], Strides: [1], StrideOrder: [0], Datatype: Half, Format: (Linear) Row major "
      "linear format }]";
  return format(
      "[TRT] [I] [MemUsageChange] Init builder kernel library: CPU +1\n"
      "[TRT] [I] Input filename:   {0}.onnx\n[TRT] [I] ONNX IR version:  0.0.9\n[TRT] [I] "
      "-----------------------\n[TRT] [V] Parsing node: node_{0} [Relu]\n"
      "[TRT] [V] node_{0} [Relu] inputs: [x -> (4)[FLOAT16]], \n"
      "[TRT] [V] node_{0} [Relu] outputs: [y_{0} -> (4)[FLOAT16]], \n"
      "[TRT] [V] Original: 1 layers\n[TRT] [V] After dead-layer removal: {1} layers\n"
      "[TRT] [W] Weights of {0} are odd\n"
      "[TRT] [I] Total Host Persistent Memory: {1} bytes\n"
      "[TRT] [I] Total Activation Memory: {1} bytes\n[TRT] [I] Total Weights Memory: 7 bytes\n{3}"
      "[TRT] [V] Layers:\nName: layer_{0}, LayerType: kgen, Inputs: [ {{ Name: x, {2}, Outputs: [ "
      "{{ "
      "Name: y_{0}, {2}, TacticName: k, StreamId: 0, Metadata: \n\nBindings:\nx\ny_{0}\n"
      "=== Profile (1 iterations ) ===\n",
      name, bytes, ends, end);
}

TEST(LogRunsOfOneFile, TheUserChooses) {
  const std::string end = "[TRT] [I] Engine generation completed in 1 seconds.\n";
  const std::string log = build_of("a", 1, end) + build_of("b", 2, end);
  const base::MemoryFiles files = test::memory_files({{"engine/x.log", log}});
  const PlanModel first = test::must(test::load_completed({.path = "engine", .run = 1}, files));
  EXPECT_EQ(first.text(first.layers.name[0]), "layer_a");
  EXPECT_EQ(value_of(first, "run 1", "shown"), "yes");
  EXPECT_THAT(messages_of(first, "several-runs"), ElementsAre(HasSubstr("as requested")));
  const auto none = test::load_completed({.path = "engine", .run = 3}, files);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kUsage);
  EXPECT_THAT(none.error().message, HasSubstr("contains 2 runs"));
  EXPECT_THAT(none.error().hint, HasSubstr("planex doctor engine/x.log"));
}

TEST(LogRunsOfOneFile, AScriptThatBuildsTwice) {
  const std::string end = "[TRT] [I] Engine generation completed in 1 seconds.\n";
  // All sections belong to the last complete engine.
  for (const auto& [log, name, line] :
       {std::tuple(build_of("a", 1, end) + build_of("b", 2, end), "b",
                   "run 2, from line 22 on, is shown"),
        std::tuple(build_of("a", 1, end) + build_of("b", 2, "[TRT] [E] no kernel\n"), "a",
                   "run 1, from line 1 on, is shown")}) {
    SCOPED_TRACE(name);
    const PlanModel model = load_log(log);
    ASSERT_EQ(model.layers.row_count(), 1u);
    EXPECT_EQ(model.text(model.layers.name[0]), format("layer_{}", name));
    EXPECT_EQ(model.text(model.bindings.name[1]), format("y_{}", name));
    ASSERT_EQ(model.operations.row_count(), 1u);
    EXPECT_EQ(model.text(model.operations.name[0]), format("node_{}", name));
    const int bytes = name == std::string_view("a") ? 1 : 2;
    EXPECT_EQ(model.engine.reported_activation_bytes.get(0), bytes);
    EXPECT_EQ(value_of(model, "source model", "Input filename"), format("{}.onnx", name));
    EXPECT_EQ(value_of(model, "graph optimizer", "After dead-layer removal"),
              format("{} layers", bytes));
    EXPECT_THAT(messages_of(model, "trt-warning"),
                ElementsAre(HasSubstr(format("of {} are", name))));
    EXPECT_THAT(messages_of(model, "several-runs"),
                ElementsAre(AllOf(HasSubstr("2 runs"), HasSubstr(line))));
    EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("build-failed")));
  }
}

TEST(LogRunsOfOneFile, BuildsThatAllFail) {
  const PlanModel model =
      load_log(build_of("a", 1, "[TRT] [E] first\n") + build_of("b", 2, "[TRT] [E] second\n"));
  EXPECT_THAT(messages_of(model, "trt-error"), ElementsAre(HasSubstr("second")));
  EXPECT_EQ(value_of(model, "run 1", "outcome"), "not finished");
}

std::string sums(int bytes) {
  return format(
      "[I] [TRT] Detected 1 inputs and 1 output network tensors.\n"
      "[I] [TRT] Total Host Persistent Memory: {0}\n[I] [TRT] Total Device Persistent Memory: 0\n"
      "[I] [TRT] Max Scratch Memory: {0}\n[I] [TRT] Total Activation Memory: {0}\n",
      bytes);
}

PlanModel load_profile(const std::string& log, std::int64_t profile) {
  const base::MemoryFiles files = test::memory_files(
      {{"engine/x.graph.json",
        R"({"Layers": [{"Name": "a", "LayerType": "NoOp", "Inputs": [], "Outputs": []},
            {"Name": "a [profile 1]", "LayerType": "NoOp", "Inputs": [], "Outputs": []}],
            "Bindings": []})"},
       {"engine/x.log", run_of(log)}});
  return test::must(test::load_completed({.path = "engine", .profile_index = profile}, files));
}

TEST(LogBuild, MemoryIsOfTheProfileThatIsShown) {
  const std::string early = "[I] [TRT] Total Activation Memory: 99999\n";
  const std::string log = early + sums(10) + early + sums(20) +
                          "[I] [TRT] Total Weights Memory: 7\n"
                          "[I] [TRT] Engine generation completed in 1 seconds.\n";
  for (const std::int64_t profile : {0, 1}) {
    const PlanModel model = load_profile(log, profile);
    EXPECT_EQ(model.engine.reported_activation_bytes.get(0), 10 + 10 * profile);
    EXPECT_EQ(model.engine.reported_scratch_bytes.get(0), 10 + 10 * profile);
    EXPECT_EQ(model.engine.reported_weight_bytes.get(0), 7);
    EXPECT_EQ(value_of(model, "build", "activation_bytes"), format("{}", 10 + 10 * profile));
    EXPECT_EQ(value_of(model, "build", "activation_bytes [profile 0]"), "10");
    EXPECT_EQ(value_of(model, "build", "activation_bytes [profile 1]"), "20");
  }
}

TEST(LogBuild, MemoryOfAnUnknownProfileIsNotTold) {
  const PlanModel one = load_profile(sums(10), 1);
  EXPECT_FALSE(one.engine.reported_activation_bytes.get(0));
  EXPECT_THAT(messages_of(one, "memory-unknown"), SizeIs(1));
  // A value that is the same for all applies to any.
  const PlanModel three = load_profile(sums(10) + sums(10) + sums(10), 1);
  EXPECT_EQ(three.engine.reported_activation_bytes.get(0), 10);
}

TEST(LogVersion, OfTensorRtRtxIsWhatAProgramPrints) {
  const std::string rtx = "[VERBOSE]  (foreignNode) Using legacy CPU-only\n" + attempt(1);
  const PlanModel model = load_log("TensorRT-RTX version: 1.7.1 (cu12)\n" + rtx);
  EXPECT_EQ(model.text(model.engine.producer[0]), "tensorrt-rtx");
  EXPECT_EQ(version_of(model), "1.7.1");
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("version-unknown")));
  const PlanModel silent = load_log("TensorRT-RTX version: unknown\n" + rtx);
  EXPECT_EQ(version_of(silent), "");
  EXPECT_THAT(messages_of(silent, "version-unknown"), SizeIs(1));
}

}  // namespace
}  // namespace planex::ingest::tensorrt
