// The files that planex's own drivers write for every engine: times and manifest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/files.h"
#include "ingest/discover/load.h"
#include "ingest/ingest_test_support.h"
#include "ingest/planex/machine_reader.h"
#include "ingest/planex/manifest_reader.h"
#include "ingest/planex/times_reader.h"
#include "support/model_texts.h"
#include "support/test_data.h"

namespace planex::ingest::planex_files {
namespace {

using model::PlanModel;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string kData = PLANEX_SOURCE_DIR "/tests/data/openvino/";

// These files come with a graph of any producer.
TEST(PlanexTimes, FillsIterations) {
  const PlanModel model = test::must(test::load_texts(
      kOneLayer, R"({"schema": "planex.times/1", "count": 2, "warmup_count": 5, "columns": {
                  "start_ms": [10, 20.5], "enqueue_ms": [0.5, null], "latency_ms": [2, 3],
                  "new_ms": [1, 2]}, "warmup_latency_ms": [9, 9]})"));
  ASSERT_EQ(model.iterations.row_count(), 2u);
  EXPECT_EQ(model.iterations.index[1], 1);
  EXPECT_EQ(model.iterations.start_ms.get(1), 20.5);
  EXPECT_EQ(model.iterations.end_ms.get(1), 23.5);
  EXPECT_EQ(model.iterations.latency_ms.get(1), 3);
  EXPECT_EQ(model.iterations.enqueue_ms.get(0), 0.5);
  EXPECT_TRUE(model.iterations.enqueue_ms.is_null(1));
  EXPECT_TRUE(model.iterations.compute_ms.is_null(0));
  EXPECT_EQ(test::value_of(model, "times", "warmup_count"), "5");
  EXPECT_THAT(test::diagnostic_codes(model), Contains("unknown-key"));
}

TEST(PlanexTimes, LatencyAloneIsEnough) {
  const PlanModel model = test::must(test::load_texts(
      kOneLayer, R"({"columns": {"latency_ms": [1, 2, 3]}, "schema": "planex.times/1"})"));
  ASSERT_EQ(model.iterations.row_count(), 3u);
  EXPECT_TRUE(model.iterations.start_ms.is_null(0));
  EXPECT_TRUE(model.iterations.end_ms.is_null(0));
}

// What the run with two threads used besides its times: if another program took their processors,
// that is reported.
TEST(PlanexTimes, SaysThatTheMachineWasBusy) {
  const auto messages = [](std::string_view costs) {
    const PlanModel model = test::must(test::load_texts(
        kOneLayer, R"({"schema": "planex.times/1", "columns": {"latency_ms": [1, 2]}, )" +
                       std::string(costs) + "}"));
    std::vector<std::string> found;
    for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
      if (model.text(model.diagnostics.code[row]) != "busy-machine") continue;
      found.emplace_back(model.text(model.diagnostics.message[row]));
    }
    return found;
  };
  EXPECT_THAT(
      messages(R"("wall_ms": 1500.5, "cpu_ms": 1890, "involuntary_switches": 812,
                          "thread_count": 2)"),
      ElementsAre("busy machine while inferences were timed: another program took a "
                  "processor 812 times in 1.5 s, 2 threads got 126 % of a processor's time"));
  EXPECT_THAT(messages(R"("wall_ms": 1500, "cpu_ms": 900, "involuntary_switches": 3,
                          "thread_count": 1)"),
              ElementsAre(testing::HasSubstr("the thread got 60 %")));
  EXPECT_THAT(messages(R"("wall_ms": 1500, "cpu_ms": 2900, "involuntary_switches": 12,
                          "thread_count": 2)"),
              IsEmpty());
  EXPECT_THAT(messages(R"("wall_ms": null, "cpu_ms": -1, "involuntary_switches": "x")"), IsEmpty());
}

TEST(PlanexTimes, ColumnsOfOtherLengthsAreLeftOut) {
  const PlanModel model =
      test::must(test::load_texts(kOneLayer, R"({"schema": "planex.times/1", "count": 7,
                  "columns": {"start_ms": [1], "latency_ms": [2, 3]}})"));
  ASSERT_EQ(model.iterations.row_count(), 2u);
  EXPECT_TRUE(model.iterations.start_ms.is_null(0));
  const auto codes = test::diagnostic_codes(model);
  EXPECT_THAT(codes, Contains("column-length"));
  EXPECT_THAT(codes, Contains("wrong-count"));
}

TEST(PlanexTimes, Errors) {
  const std::tuple<std::string_view, std::string_view> cases[] = {
      {R"({"schema": "planex.times/1", "columns": {}})", "/columns/latency_ms"},
      {R"({"schema": "planex.times/1", "columns": {"latency_ms": [1, "x"]}})",
       "/columns/latency_ms/1"},
      {R"({"schema": "planex.times/1", "columns": {"latency_ms": 3}})", "/columns/latency_ms"},
      {R"({"schema": "planex.times/1", "columns": [1]})", "/columns"},
  };
  for (const auto& [text, pointer] : cases) {
    const auto model = test::load_texts(kOneLayer, text);
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().code, ErrorCode::kBadInput) << text;
    EXPECT_EQ(model.error().file, "engine/x.other.json") << text;
    EXPECT_EQ(model.error().json_pointer, pointer) << test::to_text(model.error());
  }
}

constexpr std::string_view kMachine = R"({"schema": "planex.machine/1",
  "origin_monotonic_ns": 4999000000000, "period_ms": 100, "power_mode": null,
  "cpu": {"count": 4, "governor": "powersave"}, "gpu": null, "new": {"a": [1]},
  "phases": [{"name": "compile", "start_ms": 1}, {"name": "time", "start_ms": 10.5, "x": {}}],
  "count": 3, "columns": {"time_ms": [0, 100.5, 200], "cpu_mhz": [3400, null, 2600],
  "gpu_power_w": [1, 2], "other": ["x"]}})";

TEST(PlanexMachine, FillsSamples) {
  const PlanModel model = test::must(test::load_texts(kOneLayer, kMachine));
  const auto& samples = model.machine_samples;
  ASSERT_EQ(samples.row_count(), 3u);
  EXPECT_EQ(samples.time_ms.get(1), 100.5);
  EXPECT_EQ(samples.cpu_mhz.get(0), 3400);
  EXPECT_TRUE(samples.cpu_mhz.is_null(1));
  EXPECT_TRUE(samples.gpu_mhz.is_null(0));
  EXPECT_TRUE(samples.inference_ms.is_null(0));
  // If there are two numbers for three samples, none is used.
  EXPECT_TRUE(samples.gpu_power_w.is_null(0));
  EXPECT_EQ(test::value_of(model, "machine", "origin_monotonic_ns"), "4999000000000");
  EXPECT_EQ(test::value_of(model, "machine", "cpu.governor"), "powersave");
  EXPECT_EQ(test::value_of(model, "machine", "phase.time"), "10.5");
  EXPECT_EQ(test::value_of(model, "machine", "power_mode"), "(missing)");
  const auto codes = test::diagnostic_codes(model);
  EXPECT_THAT(codes, Contains("column-length"));
  EXPECT_THAT(codes, Contains("unknown-key"));
}

TEST(PlanexMachine, Errors) {
  const std::tuple<std::string_view, std::string_view> cases[] = {
      {R"({"schema": "planex.machine/1", "columns": {}})", "/columns/time_ms"},
      {R"({"schema": "planex.machine/1", "columns": {"time_ms": [0, "x"]}})", "/columns/time_ms/1"},
      {R"({"schema": "planex.machine/1", "columns": 3})", "/columns"},
      {R"({"schema": "planex.machine/1", "phases": [7], "columns": {"time_ms": [0]}})",
       "/phases/0"},
      {R"({"schema": "planex.machine/2", "columns": {"time_ms": [0]}})", "/schema"},
  };
  for (const auto& [text, pointer] : cases) {
    const auto model = test::load_texts(kOneLayer, text);
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().json_pointer, pointer) << test::to_text(model.error());
  }
  for (std::size_t length = 40; length < kMachine.size(); length += 7) {
    EXPECT_FALSE(test::load_texts(kOneLayer, kMachine.substr(0, length))) << length;
  }
}

TEST(PlanexManifest, BecomesMetadata) {
  const PlanModel model = test::must(
      test::load_texts(kOneLayer, R"({"schema": "planex.manifest/1", "planex_version": "0.1.0",
                  "model": {"path": "m.onnx", "sha256": null},
                  "launcher": ["ssh", "a host"],
                  "commands": [["p", "--name", "it's"], ["q", ""]],
                  "artefacts": [{"kind": "graph", "size_bytes": 7}],
                  "host": {"cpu_model": "Some CPU", "cpu_count": 2},
                  "result": {"config": {"A": "B", "deep": {"er": [1, 2]}}, "notes": [],
                             "inputs": [{"name": "x"}]}})"));
  EXPECT_EQ(test::value_of(model, "manifest", "planex_version"), "0.1.0");
  EXPECT_EQ(test::value_of(model, "model", "path"), "m.onnx");
  EXPECT_EQ(test::value_of(model, "model", "sha256"), "(missing)");
  EXPECT_EQ(test::value_of(model, "launcher", "command"), "ssh 'a host'");
  EXPECT_EQ(test::value_of(model, "commands", "0"), R"(p --name 'it'\''s')");
  EXPECT_EQ(test::value_of(model, "commands", "1"), "q ''");
  EXPECT_EQ(test::value_of(model, "artefacts", "0.size_bytes"), "7");
  EXPECT_EQ(test::value_of(model, "host", "cpu_count"), "2");
  EXPECT_EQ(test::value_of(model, "result", "config.A"), "B");
  EXPECT_EQ(test::value_of(model, "result", "config.deep"), R"({"er":[1,2]})");
  EXPECT_EQ(test::value_of(model, "result", "inputs"), R"([{"name":"x"}])");
  EXPECT_EQ(test::value_of(model, "result", "notes"), "(missing)");
  EXPECT_EQ(model.text(model.engine.device[0]), "Some CPU");
}

TEST(PlanexManifest, EnginesOwnDeviceWins) {
  const PlanModel model = test::must(test::load_texts(
      kOneLayer, R"({"schema": "planex.manifest/1", "result": {"engine": {"device": "Far CPU"}},
                  "host": {"cpu_model": "This CPU"}})"));
  EXPECT_EQ(model.text(model.engine.device[0]), "Far CPU");
}

// Traces of ONNX Runtime do not.
TEST(PlanexManifest, SaysTheVersionWhereNoFileDoes) {
  constexpr std::string_view kTrace =
      R"([{"cat": "Node", "tid": 1, "dur": 4, "ts": 10, "ph": "X", "name": "a_kernel_time",
           "args": {"op_name": "Relu", "provider": "CPUExecutionProvider"}},
          {"cat": "Session", "tid": 1, "dur": 12, "ts": 8, "ph": "X", "name": "model_run"}])";
  constexpr std::string_view kManifest =
      R"({"schema": "planex.manifest/1", "result": {"engine": {"producer_version": "1.32.0"}}})";
  const PlanModel model = test::must(test::load_texts(kTrace, kManifest));
  EXPECT_EQ(model.text(model.engine.producer_version[0]), "1.32.0");
  EXPECT_EQ(model.text(model.engine.version_evidence[0]), "manifest");
  const PlanModel known = test::must(test::load_texts(kOneLayer, kManifest));
  EXPECT_EQ(known.text(known.engine.producer_version[0]), "8.2–8.4");
}

TEST(PlanexManifest, Errors) {
  const auto model =
      test::load_texts(kOneLayer, R"({"schema": "planex.manifest/1", "host": {"a": tru}})");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(model.error().json_pointer, "/host/a");
}

TEST(PlanexFiles, RealRun) {
  const PlanModel model =
      test::must(test::load_completed({.path = kData + "tiny-fp32"}, base::disk()));
  EXPECT_EQ(test::value_of(model, "manifest", "name"), "tiny-fp32");
  EXPECT_EQ(test::value_of(model, "commands", "0"),
            "bin/planex-openvino --model tiny-fp32.onnx --out tiny-fp32/tiny-fp32 --name "
            "tiny-fp32 --iterations 40 --warmup 10");
  EXPECT_EQ(test::value_of(model, "times", "warmup_count"), "10");
  EXPECT_GT(model.iterations.latency_ms[0], 0);
  EXPECT_DOUBLE_EQ(model.iterations.end_ms[0],
                   model.iterations.start_ms[0] + model.iterations.latency_ms[0]);
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(PlanexSniff, BySchemaOnly) {
  EXPECT_EQ(sniff_times(R"({"schema":"planex.times/1"})"), Confidence::kSure);
  EXPECT_EQ(sniff_times(R"({"schema":"planex.manifest/1"})"), Confidence::kNo);
  EXPECT_EQ(sniff_manifest(R"({"schema":"planex.manifest/1"})"), Confidence::kSure);
  EXPECT_EQ(sniff_manifest("[]"), Confidence::kNo);
  EXPECT_EQ(sniff_machine(kMachine), Confidence::kSure);
}

}  // namespace
}  // namespace planex::ingest::planex_files
