#include "ingest/nsight/nsight_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/nsight/nsight_test_export.h"
#include "support/test_data.h"

namespace planex::ingest::nsight {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// "a 0 k ×2 10": layer, place, kernel, launches, median µs.
std::vector<std::string> kernels(const model::PlanModel& model) {
  std::vector<std::string> rows;
  const model::KernelsTable& table = model.kernels;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const model::LayerId layer = table.layer_id[row];
    rows.push_back(base::format(
        "{} {} {} ×{} {}", layer.is_null() ? "–" : model.text(model.layers.name[layer.index()]),
        table.index.is_null(row) ? "–" : base::format("{}", table.index[row]),
        model.text(table.name[row]), table.count[row], table.median_us[row]));
  }
  return rows;
}

std::vector<double> kernel_ms(const model::PlanModel& model) {
  std::vector<double> times;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    times.push_back(model.layers.kernel_ms.get(row).value_or(-1));
  }
  return times;
}

// Two inferences of a, which launches two kernels, and b; the second is slower.
void add_two_inferences(MadeExport& made) {
  made.domain();
  made.execution(100, 200).range(110, 140, "a").range(150, 160, "b");
  made.launch(112, 10'000, 11'000, "k1").launch(120, 12'000, 12'500, "k2");
  made.launch(151, 13'000, 15'000, "k1");
  made.execution(300, 400).range(310, 340, "a").range(350, 360, "b");
  made.launch(312, 20'000, 23'000, "k1").launch(320, 24'000, 24'500, "k2");
  made.launch(351, 25'000, 29'000, "k1");
}

TEST(NsightReader, HangsKernelsUnderTheirLayers) {
  MadeExport made;
  add_two_inferences(made);
  const Read found = read(made);
  EXPECT_THAT(kernels(found.model), ElementsAre("a 0 k1 ×2 2", "a 1 k2 ×2 0.5", "b 0 k1 ×2 3"));
  // Medians of 1.5 and 3.5, and of 2 and 4 µs; c launches nothing.
  EXPECT_THAT(kernel_ms(found.model), ElementsAre(0.0025, 0.003, -1));
  const model::KernelsTable& table = found.model.kernels;
  EXPECT_EQ(table.start_us[0], 0);
  EXPECT_EQ(table.start_us[1], 3);  // of 2 and 4
  EXPECT_EQ(table.start_us[2], 4);  // of 3 and 5
  EXPECT_EQ(table.mean_us[0], 2);
  EXPECT_EQ(table.min_us[0], 1);
  EXPECT_EQ(table.max_us[0], 3);
  EXPECT_EQ(table.total_ms[0], 0.004);
  EXPECT_THAT(table.grid[0], ElementsAre(4, 2, 1));
  EXPECT_THAT(table.block[0], ElementsAre(128, 1, 1));
  EXPECT_EQ(table.registers[0], 32);
  EXPECT_EQ(table.shared_bytes[0], 1040);
  EXPECT_EQ(table.stream[0], 7);
  EXPECT_EQ(found.model.files.record_count[0], 6);
  EXPECT_EQ(found.model.files.joined_count[0], 6);
  EXPECT_THAT(test::diagnostic_codes(found.model), IsEmpty());
  // There was a profile.
  EXPECT_EQ(found.model.layers.median_ms[0], 1.0);
}

TEST(NsightReader, GivesLayersTheirKernelsTimesWhereThereIsNoProfile) {
  MadeExport made;
  add_two_inferences(made);
  const auto files = test::memory_files({{"run/x.graph.json", R"({"Layers": ["a", "b", "c"]})"},
                                         {"run/x.nsys.sqlite", made.bytes()}});
  const model::PlanModel model = test::must(test::load_completed({.path = "run"}, files));
  EXPECT_EQ(model.layers.median_ms[0], 0.0025);
  EXPECT_EQ(model.layers.mean_ms[1], 0.003);
  EXPECT_EQ(model.layers.min_ms[1], 0.002);
  EXPECT_EQ(model.layers.max_ms[1], 0.004);
  EXPECT_EQ(model.layers.total_ms[1], 0.006);
  EXPECT_EQ(model.layers.count[1], 2);
  EXPECT_TRUE(model.layers.median_ms.is_null(2));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("times-from-kernels"));
}

TEST(NsightReader, TakesTheInnermostRangeOfTheThread) {
  MadeExport made;
  made.domain().execution(0, 1000).range(10, 500, "a").range(100, 200, "b");
  // Another thread is in c all the time, and has its own execution.
  made.execution(0, 1000, 2).range(1, 999, "c", 2);
  made.launch(50, 2000, 3000).launch(150, 3000, 4000).launch(250, 4000, 5000);
  made.launch(160, 5000, 6000, "k", 2);
  EXPECT_THAT(kernels(read(made).model),
              ElementsAre("a 0 k ×1 1", "a 1 k ×1 1", "b 0 k ×1 1", "c 0 k ×1 1"));
}

TEST(NsightReader, RangesMayCross) {
  MadeExport made;
  made.domain().execution(0, 100).range(10, 30, "a").range(20, 50, "b");
  made.launch(15, 1000, 2000).launch(25, 2000, 3000).launch(35, 3000, 4000).launch(60, 4000, 5000);
  // The last is in the inference, but in no layer.
  EXPECT_THAT(kernels(read(made).model),
              ElementsAre("a 0 k ×1 1", "b 0 k ×1 1", "b 1 k ×1 1", "– – k ×1 1"));
}

TEST(NsightReader, RangesOfOtherDomainsAndKindsAreNoLayers) {
  MadeExport made;
  made.domain().domain("app", 2).execution(0, 100).range(10, 50, "a").range(20, 30, "b", 1, 2);
  // A mark.
  made.sql(base::format("INSERT INTO NVTX_EVENTS VALUES(21,29,34,'b',{},NULL,1)",
                        MadeExport::kProcess + 1));
  made.launch(25, 1000, 2000);
  EXPECT_THAT(kernels(read(made).model), ElementsAre("a 0 k ×1 1"));
}

TEST(NsightReader, NamesMayStandInStringIds) {
  MadeExport made;
  made.domain();
  const int a = made.text("a"), enqueue = made.text("ExecutionContext::enqueue");
  for (const auto& [start, end, id] : {std::tuple(0, 100, enqueue), std::tuple(10, 50, a)}) {
    made.sql(base::format("INSERT INTO NVTX_EVENTS VALUES({},{},59,NULL,{},{},1)", start, end,
                          MadeExport::kProcess + 1, id));
  }
  made.launch(20, 1000, 2000);
  EXPECT_THAT(kernels(read(made).model), ElementsAre("a 0 k ×1 1"));
}

TEST(NsightReader, NamesMayBeInsideFactsOfTheLayer) {
  for (const std::string_view text :
       {R"(a {"Metadata": "[ONNX Layer: x]"})", "a\nConvolution", "a\x1e[ONNX Layer: a]",
        "Name: a, LayerType: CaskConvolution, Inputs: [ { Name: x } ]"}) {
    MadeExport made;
    made.domain().execution(0, 100).range(10, 50, text).launch(20, 1000, 2000);
    EXPECT_THAT(kernels(read(made).model), ElementsAre("a 0 k ×1 1")) << text;
  }
}

TEST(NsightReader, WithoutADomainNamesTellWhichRangesAreTensorRts) {
  MadeExport made;
  made.execution(0, 100).range(10, 50, "a").range(20, 30, "somebody else");
  made.launch(25, 1000, 2000);
  const Read found = read(made);
  EXPECT_THAT(kernels(found.model), ElementsAre("a 0 k ×1 1"));
  EXPECT_THAT(test::diagnostic_codes(found.model), ElementsAre("no-tensorrt-domain"));
}

TEST(NsightReader, SaysWhatSumsAreWhereKernelsRunSideBySide) {
  const auto read_with = [](int start_of_second) {
    MadeExport made;
    made.domain().execution(0, 100).range(10, 30, "a").range(40, 50, "b");
    made.launch(15, 10'000, 14'000).launch(45, start_of_second, start_of_second + 4'000);
    // Inside both.
    made.launch(46, 13'000, 13'500);
    return read(made);
  };
  const Read found = read_with(12'000);
  EXPECT_THAT(kernel_ms(found.model), ElementsAre(0.004, 0.0045, -1));
  ASSERT_THAT(test::diagnostic_codes(found.model), ElementsAre("kernels-side-by-side"));
  EXPECT_THAT(std::string(found.model.text(found.model.diagnostics.message[0])),
              HasSubstr("add up to 0.0085 ms, but ran within 0.006 ms"));
  MadeExport made;
  add_two_inferences(made);
  EXPECT_THAT(test::diagnostic_codes(read(made).model), IsEmpty());
}

TEST(NsightReader, LayersOfOneNameTakeTurns) {
  MadeExport made;
  made.domain();
  for (const int at : {0, 1000}) {
    made.execution(at, at + 100).range(at + 10, at + 20, "a").range(at + 30, at + 40, "a");
    made.launch(at + 12, at + 2000, at + 3000, "k1");
    made.launch(at + 32, at + 4000, at + 6000, "k2");
  }
  const Read found = read(made, {"a", "a"});
  ASSERT_EQ(found.model.kernels.row_count(), 2u);
  EXPECT_EQ(found.model.kernels.layer_id[0], model::LayerId(0));
  EXPECT_EQ(found.model.kernels.layer_id[1], model::LayerId(1));
  EXPECT_THAT(kernel_ms(found.model), ElementsAre(0.001, 0.002));
  EXPECT_THAT(test::diagnostic_codes(found.model), IsEmpty());
  // One range fewer: which of the two it is can't be known.
  made.execution(2000, 2100).range(2010, 2020, "a").launch(2012, 9000, 9500, "k2");
  EXPECT_THAT(test::diagnostic_codes(read(made, {"a", "a"}).model),
              ElementsAre("ambiguous-layer-name"));
}

TEST(NsightReader, ALayerInALoopLaunchesInEveryTurn) {
  MadeExport made;
  made.domain().execution(0, 100);
  for (const int at : {10, 20, 30}) {
    made.range(at, at + 5, "a").launch(at + 1, 1000 * at, 1000 * at + 1000);
  }
  const Read found = read(made);
  EXPECT_THAT(kernels(found.model), ElementsAre("a 0 k ×1 1", "a 1 k ×1 1", "a 2 k ×1 1"));
  EXPECT_EQ(found.model.layers.kernel_ms[0], 0.003);
}

TEST(NsightReader, WithoutExecutionsALayerThatComesAgainBeginsTheNextInference) {
  MadeExport made;
  made.domain();
  for (const int at : {0, 1000}) {
    made.range(at, at + 10, "a").launch(at + 1, at + 2000, at + 3000);
    made.range(at + 20, at + 30, "b").launch(at + 21, at + 4000, at + 6000);
  }
  const Read found = read(made);
  EXPECT_THAT(kernels(found.model), ElementsAre("a 0 k ×2 1", "b 0 k ×2 2"));
  EXPECT_EQ(found.model.kernels.start_us[1], 2);
}

TEST(NsightReader, ExecutionsOfOtherEnginesAreLeftOut) {
  MadeExport made;
  made.domain().execution(0, 100).range(10, 20, "a").range(30, 40, "b");
  made.launch(11, 1000, 2000).launch(31, 2000, 3000);
  // It also has a layer a.
  made.execution(200, 300).range(210, 220, "a").range(230, 240, "x").range(250, 260, "y");
  made.launch(211, 5000, 9000).launch(231, 9000, 9500);
  const Read found = read(made);
  EXPECT_THAT(kernels(found.model), ElementsAre("a 0 k ×1 1", "b 0 k ×1 1", "– – k ×2 2.25"));
  EXPECT_THAT(test::diagnostic_codes(found.model),
              ElementsAre("executions-of-other-engines", "kernels-without-layer"));
}

TEST(NsightReader, RangesInsideALayerAreItsOwn) {
  MadeExport made;
  made.domain().execution(0, 100).range(10, 90, "a");
  for (const int at : {20, 30, 40}) {
    made.range(at, at + 5, base::format("__myl_{}", at)).launch(at + 1, 1000 * at, 1000 * at + 500);
  }
  const Read found = read(made);
  EXPECT_EQ(found.model.layers.kernel_ms[0], 0.0015);
  EXPECT_THAT(test::diagnostic_codes(found.model), IsEmpty());
}

TEST(NsightReader, KernelsOfGraphsBelongToWhereTheirNodesWereCaptured) {
  MadeExport made;
  made.sql(
      "CREATE TABLE CUDA_GRAPH_NODE_EVENTS(start INTEGER, end INTEGER, globalTid INTEGER, "
      "graphNodeId INTEGER, originalGraphNodeId INTEGER)");
  const auto node = [&](int start, int id, const std::string& original) {
    made.sql(base::format("INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES({0},{0},{1},{2},{3})", start,
                          MadeExport::kProcess + 1, id, original));
  };
  made.domain().execution(0, 100).range(10, 20, "a").range(30, 40, "b");
  node(15, 1, "NULL");
  node(35, 2, "NULL");
  // Copied twice, as of a child graph that is instantiated.
  node(50, 11, "1");
  node(50, 12, "2");
  node(60, 21, "11");
  node(60, 22, "12");
  // These form a cycle.
  node(60, 31, "32");
  node(60, 32, "31");
  for (const int at : {1000, 2000}) {
    made.call(at, at);
    made.work(at + 5000, at + 6000, at, "k1", "21").work(at + 6000, at + 8000, at, "k2", "22");
  }
  made.call(3000, 3000).work(9000, 9500, 3000, "k3", "31").work(9500, 9900, 3000, "k3", "99");
  const Read found = read(made);
  EXPECT_THAT(kernels(found.model), ElementsAre("a 0 k1 ×2 1", "b 0 k2 ×2 2", "– – k3 ×2 0.45"));
  EXPECT_EQ(found.model.kernels.start_us[1], 1);
  EXPECT_THAT(test::diagnostic_codes(found.model),
              ElementsAre("graph-kernels-without-layer", "kernels-without-layer"));
}

TEST(NsightReader, GraphsThatAreTracedAsAWholeHaveNoKernels) {
  MadeExport made(MadeExport::With::kNothing);
  made.sql(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start INTEGER, end INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES(1,2),(3,4)");
  const Read found = read(made);
  EXPECT_THAT(test::diagnostic_codes(found.model), ElementsAre("graphs-without-kernels"));
  EXPECT_THAT(std::string(found.model.text(found.model.diagnostics.message[0])),
              HasSubstr("2 launches of CUDA graphs"));
}

TEST(NsightReader, CopiesOfLayersAreTheirWork) {
  MadeExport made;
  made.sql(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, streamId INTEGER, "
      "correlationId INTEGER, globalPid INTEGER, copyKind INTEGER);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INTEGER, end INTEGER, streamId INTEGER, "
      "correlationId INTEGER, globalPid INTEGER)");
  made.domain().execution(0, 100).range(10, 50, "a").launch(12, 1000, 2000);
  made.call(20, 100).call(30, 101).call(5, 102);
  const auto copy = [&](int start, int correlation) {
    made.sql(base::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES({},{},7,{},{},8)", start,
                          start + 500, correlation, MadeExport::kProcess));
  };
  copy(2000, 100);
  copy(500, 102);  // without a layer
  made.sql(base::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(3000,3100,7,101,{})",
                        MadeExport::kProcess));
  const Read found = read(made);
  EXPECT_THAT(kernels(found.model),
              ElementsAre("a 0 k ×1 1", "a 1 [CUDA memcpy Device-to-Device] ×1 0.5",
                          "a 2 [CUDA memset] ×1 0.1"));
  EXPECT_DOUBLE_EQ(found.model.layers.kernel_ms[0], 0.0016);
  EXPECT_TRUE(found.model.kernels.grid.is_null(1));
}

TEST(NsightReader, WhatDiffersBetweenLaunchesIsNotKnown) {
  MadeExport made;
  made.domain();
  for (const int at : {0, 1000}) {
    made.execution(at, at + 100).range(at + 10, at + 50, "a").call(at + 20, at + 1);
    made.work(at + 2000, at + 3000, at + 1, "k", "NULL", at == 0 ? "4,2,1" : "5,2,1");
  }
  const Read found = read(made);
  EXPECT_THAT(kernels(found.model), ElementsAre("a 0 k ×2 1"));
  EXPECT_TRUE(found.model.kernels.grid.is_null(0));
  EXPECT_THAT(found.model.kernels.block[0], ElementsAre(128, 1, 1));
}

// --- What is missing ---

TEST(NsightReader, TellsWhatTheRecordingLacks) {
  const auto codes_without = [](const std::string& table) {
    MadeExport made;
    add_two_inferences(made);
    made.sql("DROP TABLE " + table);
    const Read found = read(made);
    for (const double time : kernel_ms(found.model)) EXPECT_EQ(time, -1) << table;
    return test::diagnostic_codes(found.model);
  };
  EXPECT_THAT(codes_without("NVTX_EVENTS"), ElementsAre("no-layer-ranges"));
  EXPECT_THAT(codes_without("CUPTI_ACTIVITY_KIND_RUNTIME"), ElementsAre("no-launch-calls"));
  EXPECT_THAT(codes_without("CUPTI_ACTIVITY_KIND_KERNEL"), ElementsAre("no-kernels"));
}

TEST(NsightReader, NamesOfKernelsMayBeMissing) {
  MadeExport made;
  add_two_inferences(made);
  made.sql("DROP TABLE StringIds");
  const Read found = read(made);
  EXPECT_EQ(found.model.layers.kernel_ms[0], 0.0025);
  EXPECT_TRUE(found.model.kernels.name.is_null(0));
}

TEST(NsightReader, OldVersionsHaveFewerColumns) {
  MadeExport made;
  add_two_inferences(made);
  for (const char* column :
       {"graphNodeId", "globalPid", "staticSharedMemory", "registersPerThread", "streamId"}) {
    made.sql(base::format("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN {}", column));
  }
  made.sql("ALTER TABLE NVTX_EVENTS DROP COLUMN textId");
  const Read found = read(made);
  EXPECT_THAT(kernels(found.model), ElementsAre("a 0 k1 ×2 2", "a 1 k2 ×2 0.5", "b 0 k1 ×2 3"));
  EXPECT_TRUE(found.model.kernels.shared_bytes.is_null(0));
  EXPECT_TRUE(found.model.kernels.registers.is_null(0));
  EXPECT_TRUE(found.model.kernels.stream.is_null(0));
}

TEST(NsightReader, TracesOfOtherEnginesSaySo) {
  MadeExport made;
  add_two_inferences(made);
  const Read found = read(made, {"x", "y"});
  EXPECT_THAT(test::diagnostic_codes(found.model), Contains("ranges-of-no-layer"));
  EXPECT_THAT(std::string(found.model.text(found.model.diagnostics.message[0])),
              HasSubstr("such as \"a\""));
}

TEST(NsightReader, TheDeviceOfATraceCountsOnlyWhereItsKernelsAreOfThisEngine) {
  const std::string gpu =
      "CREATE TABLE TARGET_INFO_GPU(id INTEGER, name TEXT);"
      "INSERT INTO TARGET_INFO_GPU VALUES(0,'NVIDIA GeForce RTX 3060')";
  MadeExport own;
  add_two_inferences(own);
  own.sql(gpu);
  const Read found = read(own);
  EXPECT_EQ(found.model.text(found.model.engine.device[0]), "NVIDIA GeForce RTX 3060");
  // From another engine, and from a program without TensorRT.
  EXPECT_TRUE(read(own, {"x"}).model.engine.device.is_null(0));
  MadeExport foreign;
  foreign.launch(10, 1000, 2000).sql(gpu);
  const Read other = read(foreign);
  EXPECT_TRUE(other.model.engine.device.is_null(0));
  EXPECT_THAT(test::diagnostic_codes(other.model), Contains("no-layer-ranges"));
}

TEST(NsightReader, KernelsOfAForeignTraceAreNotThisEngines) {
  MadeExport made;
  add_two_inferences(made);
  made.sql("INSERT INTO META_DATA_EXPORT VALUES('EXPORT_SCHEMA','3.6.0')");
  const Read own = read(made);
  EXPECT_GT(own.model.kernels.row_count(), 0U);
  EXPECT_GT(own.model.metadata.row_count(), 0U);
  const Read other = read(made, {"x", "y"});
  EXPECT_EQ(other.model.kernels.row_count(), 0U);
  EXPECT_EQ(other.model.metadata.row_count(), 0U);
  EXPECT_THAT(test::diagnostic_codes(other.model), Contains("ranges-of-no-layer"));
}

TEST(NsightReader, OddRowsAreLeftOutAndCounted) {
  MadeExport made;
  made.domain().execution(0, 100).range(10, 50, "a").launch(20, 1000, 2000);
  made.range(60, 55, "b");                        // ends before it starts
  made.range(-(std::int64_t{1} << 62), 70, "b");  // not a time
  made.sql(base::format("INSERT INTO NVTX_EVENTS VALUES(61,NULL,59,'b',{},NULL,1)",
                        MadeExport::kProcess + 1));  // no end
  made.launch(30, 5000, 4000).launch(31, 9'223'372'036'854'775'807, 9'223'372'036'854'775'807);
  made.sql(
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, demangledName, gridX) "
      "VALUES('soon', x'00', 'k', 1.5)");
  made.work(6000, 7000, 999);  // no such call
  const Read found = read(made);
  EXPECT_THAT(kernels(found.model), ElementsAre("a 0 k ×1 1", "– – k ×1 1"));
  EXPECT_THAT(
      test::diagnostic_codes(found.model),
      ElementsAre("odd-ranges", "odd-launches", "launch-without-call", "kernels-without-layer"));
  EXPECT_THAT(std::string(found.model.text(found.model.diagnostics.message[0])),
              HasSubstr("3 ranges"));
  EXPECT_THAT(std::string(found.model.text(found.model.diagnostics.message[1])),
              HasSubstr("3 kernels or copies"));
}

TEST(NsightReader, TimesMayBeNegative) {
  MadeExport made;
  made.domain().execution(-1000, -500).range(-900, -600, "a").launch(-800, -400, 600);
  EXPECT_THAT(kernels(read(made).model), ElementsAre("a 0 k ×1 1"));
}

// Each pair of rows is a call and a kernel; if each call examined all kernels with its number, this
// would take minutes.
TEST(NsightReader, ManyKernelsAndCallsOfOneNumber) {
  MadeExport made;
  made.domain().execution(0, 1'000'000).range(10, 500'000, "a");
  made.sql(
      base::format("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<200000) "
                   "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT 20, 21, {}, 5, 0 FROM c",
                   MadeExport::kProcess + 1));
  made.sql(base::format(
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<200000) "
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, correlationId, globalPid, demangledName) "
      "SELECT 1000*x, 1000*x+500, 5, {}, 1 FROM c",
      MadeExport::kProcess));
  const Read found = read(made);
  EXPECT_EQ(found.model.files.joined_count[0], 200'000);
  EXPECT_DOUBLE_EQ(found.model.layers.kernel_ms[0], 100);
}

// --- Sniffing, and other kinds of files ---

TEST(NsightReader, IsRecognisedByItsTables) {
  MadeExport made;
  EXPECT_EQ(sniff_export(made.bytes()), Confidence::kSure);
  MadeExport other(MadeExport::With::kNothing);
  other.sql("CREATE TABLE studies(id INTEGER)");
  EXPECT_EQ(sniff_export(other.bytes()), Confidence::kNo);
  EXPECT_EQ(sniff_export("CUPTI_ACTIVITY_KIND_KERNEL"), Confidence::kNo);
  // A real schema has a long list of tables, and the start of the file contains only the first.
  MadeExport large(MadeExport::With::kNothing);
  large.sql("CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)");
  large.sql("CREATE TABLE TARGET_INFO_SYSTEM_ENV(globalVid INTEGER, name TEXT)");
  for (int i = 0; i < 90; ++i) {
    large.sql(base::format("CREATE TABLE OTHER_{}(id INTEGER /* {} */)", i, std::string(900, 'x')));
  }
  large.sql("CREATE TABLE NVTX_EVENTS(start INTEGER)");
  EXPECT_EQ(sniff_export(large.bytes().substr(0, kSniffBytes)), Confidence::kSure);
  EXPECT_THAT(test::diagnostic_codes(read(large.bytes()).model), ElementsAre("no-kernels"));
  const Read found = read(other.bytes());
  ASSERT_TRUE(found.error);
  EXPECT_EQ(found.error->code, ErrorCode::kBadInput);
  EXPECT_THAT(found.error->message, HasSubstr("not an Nsight Systems export"));
  const Read text = read(std::string("not a database"));
  ASSERT_TRUE(text.error);
  EXPECT_THAT(text.error->message, HasSubstr("not a SQLite file"));
}

TEST(NsightReader, IsFoundWhereItsStartNamesNoTable) {
  const auto made_of = [](const char* table) {
    MadeExport made(MadeExport::With::kNothing);
    // A page of its own for each; the list of tables is split when the first has filled a lot.
    made.sql("CREATE TABLE a(x); PRAGMA secure_delete=1");
    made.sql("INSERT INTO a VALUES(zeroblob(200000))");
    for (int i = 0; i < 9; ++i) {
      made.sql(base::format("CREATE TABLE b{}(id INTEGER /* {} */)", i, std::string(900, 'x')));
    }
    made.sql(base::format("CREATE TABLE {}(start INTEGER)", table));
    return made.bytes();
  };
  const std::string bytes = made_of("CUPTI_ACTIVITY_KIND_RUNTIME"), other = made_of("results");
  for (const std::string& file : {bytes, other}) {
    EXPECT_EQ(sniff_export(file.substr(0, kSniffBytes)), Confidence::kNo);
    EXPECT_TRUE(may_be_export(file.substr(0, kSniffBytes)));
  }
  EXPECT_TRUE(is_export(base::make_bytes(bytes)));
  EXPECT_FALSE(is_export(base::make_bytes(other)));
  EXPECT_TRUE(is_export(base::make_bytes(other.substr(0, 5000))));
  const auto kinds_with = [](const std::string& file) {
    const auto files =
        test::memory_files({{"run/x.graph.json", R"({"Layers": ["a"]})"}, {"run/x.sqlite", file}});
    const model::PlanModel model = test::must(test::load_completed({.path = "run"}, files));
    std::vector<std::string> kinds;
    for (std::size_t row = 0; row < model.files.row_count(); ++row) {
      kinds.emplace_back(model.text(model.files.kind[row]));
    }
    return kinds;
  };
  EXPECT_THAT(kinds_with(bytes), Contains("nsight-export"));
  EXPECT_THAT(kinds_with(other), Not(Contains("nsight-export")));
}

TEST(NsightReader, AFileInWalModeIsReadWithoutItsLog) {
  MadeExport made;
  add_two_inferences(made);
  std::string bytes = made.bytes();
  bytes[18] = bytes[19] = 2;
  const Read found = read(bytes);
  ASSERT_FALSE(found.error) << test::to_text(*found.error);
  EXPECT_EQ(found.model.kernels.row_count(), 3u);
  EXPECT_THAT(test::diagnostic_codes(found.model), ElementsAre("write-ahead-log"));
}

// --- Hostile files ---

TEST(NsightReader, ViewsAndVirtualTablesAreNoTables) {
  MadeExport made(MadeExport::With::kNothing);
  made.sql(
      "CREATE TABLE NVTX_EVENTS(start, end, eventType, text, globalTid, domainId);"
      "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start, 2 AS end;"
      "CREATE VIEW v AS SELECT * FROM w; CREATE VIEW w AS SELECT * FROM v;"
      "CREATE VIEW StringIds AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) "
      "SELECT x AS id, 'TensorRT' AS value FROM c;"
      "CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN SELECT load_extension('x'); END");
  const Read found = read(made);
  EXPECT_THAT(test::diagnostic_codes(found.model), ElementsAre("no-kernels"));
}

TEST(NsightReader, ExpressionsInTheSchemaAreNotRun) {
  MadeExport made(MadeExport::With::kNothing);
  made.sql(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end AS (length(hex(zeroblob(start)))));"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start) VALUES(100000000)");
  const Read found = read(made.bytes());
  ASSERT_TRUE(found.error);
  EXPECT_EQ(found.error->code, ErrorCode::kBadInput);
}

TEST(NsightReader, ColumnsMayBeCalledAnything) {
  MadeExport made;
  add_two_inferences(made);
  made.sql("ALTER TABLE NVTX_EVENTS ADD COLUMN \"a\"\"b; DROP TABLE x\" INTEGER");
  EXPECT_EQ(read(made).model.kernels.row_count(), 3u);
}

TEST(NsightReader, HugeTextsAreCut) {
  MadeExport made;
  made.domain()
      .execution(0, 100)
      .range(10, 50, "a")
      .launch(20, 1000, 2000, std::string(200'000, 'x'));
  const Read found = read(made);
  const std::string_view name = found.model.text(found.model.kernels.name[0]);
  EXPECT_LT(name.size(), 70'000u);
  EXPECT_TRUE(name.ends_with("x…"));
}

TEST(NsightReader, BytesThatAreNoTextBecomeReplacementCharacters) {
  MadeExport made;
  made.domain().execution(0, 100).range(10, 50, "a").launch(20, 1000, 2000, "kernel");
  made.sql("UPDATE StringIds SET value=CAST(x'6bff6b' AS TEXT) WHERE value='kernel'");
  EXPECT_EQ(read(made).model.text(read(made).model.kernels.name[0]), "k\xef\xbf\xbdk");
}

TEST(NsightReader, ATruncatedFileIsAnErrorOfTheFile) {
  MadeExport made;
  add_two_inferences(made);
  const std::string bytes = made.bytes();
  for (std::size_t size = 0; size < bytes.size(); size += 509) {
    const Read found = read(bytes.substr(0, size));
    ASSERT_TRUE(found.error) << size;
    EXPECT_EQ(found.error->code, ErrorCode::kBadInput) << size;
    EXPECT_EQ(found.error->file, "x.sqlite");
  }
}

// Whatever is changed, the file is read or refused; the sanitizers report anything worse.
TEST(NsightReader, ChangedBytesAreReadOrRefused) {
  MadeExport made;
  add_two_inferences(made);
  const std::string bytes = made.bytes();
  std::uint32_t state = 12345;
  const auto next = [&state] { return state = state * 1664525 + 1013904223; };
  std::size_t refused = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string changed = bytes;
    const std::uint32_t changes = 1 + (next() >> 29);
    for (std::uint32_t change = 0; change < changes; ++change) {
      // Most of the file is empty pages; its start and the ends of pages are not.
      const std::size_t page = (next() >> 16) % (bytes.size() / 4096);
      const std::size_t at =
          (next() >> 24) < 128 ? (next() >> 16) % 120 : 4095 - (next() >> 16) % 400;
      changed[page * 4096 + at] = static_cast<char>(next() >> 24);
    }
    const Read found = read(changed);
    if (!found.error) continue;
    ++refused;
    EXPECT_EQ(found.error->code, ErrorCode::kBadInput);
  }
  EXPECT_GT(refused, 100u);
  EXPECT_LT(refused, 1500u);
}

// Pages that refer to each other many times must not be followed endlessly: the root of a table
// whose children are all the same page, level below level.
TEST(NsightReader, PagesThatAreReachedOverAndOverAreRefused) {
  MadeExport made(MadeExport::With::kNothing);
  made.sql(
      "PRAGMA page_size=512; VACUUM;"
      "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, text TEXT)");
  made.sql(
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<20000) "
      "INSERT INTO NVTX_EVENTS SELECT x, x, 'some text that fills pages' FROM c");
  std::string bytes = made.bytes();
  constexpr std::size_t kPage = 512;
  const auto at = [&](std::size_t offset) { return static_cast<unsigned char>(bytes[offset]); };
  const auto cells = [&](std::size_t page) {
    return std::size_t{at(page + 3)} << 8 | at(page + 4);
  };
  std::vector<std::size_t> interior;
  for (std::size_t page = kPage; page < bytes.size(); page += kPage) {
    if (at(page) == 5) interior.push_back(page);
  }
  ASSERT_GT(interior.size(), 2u);
  // Every child of an interior page becomes the next interior page; the last keeps its leaves.
  for (std::size_t i = 0; i + 1 < interior.size() && i < 12; ++i) {
    const auto number = static_cast<std::uint32_t>(interior[i + 1] / kPage + 1);
    const auto point = [&](std::size_t offset) {
      for (int byte = 0; byte < 4; ++byte) {
        bytes[offset + static_cast<std::size_t>(byte)] =
            static_cast<char>(number >> (24 - 8 * byte) & 0xFF);
      }
    };
    point(interior[i] + 8);
    for (std::size_t cell = 0; cell < cells(interior[i]); ++cell) {
      const std::size_t pointer = interior[i] + 12 + 2 * cell;
      point(interior[i] + (std::size_t{at(pointer)} << 8 | at(pointer + 1)));
    }
  }
  const Read found = read(bytes);
  ASSERT_TRUE(found.error);
  EXPECT_EQ(found.error->code, ErrorCode::kBadInput);
}

}  // namespace
}  // namespace planex::ingest::nsight
