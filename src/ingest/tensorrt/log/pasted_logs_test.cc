// Pasted parts of logs: a table, a summary, an error, in the formats of trackers and other loggers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "analyze/timing/reconcile.h"
#include "base/text.h"
#include "ingest/discover/decode.h"
#include "ingest/discover/registry.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/log_test_support.h"
#include "ingest/tensorrt/log/other_loggers.h"
#include "support/model_texts.h"

namespace planex::ingest::tensorrt {
namespace {

using model::PlanModel;
using testing::Contains;
using testing::HasSubstr;

constexpr std::string_view kOldTable =
    "[07/31/2021-01:48:38] [I] === Profile (124 iterations ) ===\n"
    "[07/31/2021-01:48:38] [I]      Layer   Time (ms)   Avg. Time (ms)   Time %\n"
    "[07/31/2021-01:48:38] [I]     Conv_12       72.45           0.5843     67.3\n"
    "[07/31/2021-01:48:38] [I]   Abs_13 + b       35.20           0.2839     32.7\n"
    "[07/31/2021-01:48:38] [I]       Total      107.65           0.8682    100.0\n";
constexpr std::string_view kNewTable =
    "[05/24/2024-14:43:21] [I]    Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer\n"
    "[05/24/2024-14:43:21] [I]       72.45       0.5843       0.5801      67.3   Conv_12\n"
    "[05/24/2024-14:43:21] [I]       35.20       0.2839       0.2811      32.7   Abs_13 + b\n"
    "[05/24/2024-14:43:21] [I]      107.65       0.8682       0.8612     100.0   Total\n";
constexpr std::string_view kSummary =
    "[05/24/2024-14:43:21] [I] Throughput: 1.64966 qps\n"
    "[05/24/2024-14:43:21] [I] Latency: min = 542.295 ms, max = 550.235 ms, mean = 546.901 ms, "
    "median = 546.891 ms, percentile(90%) = 550.235 ms\n"
    "[05/24/2024-14:43:21] [I] GPU Compute Time: min = 535.282 ms, max = 543.216 ms, mean = "
    "539.803 "
    "ms, median = 539.882 ms, percentile(90%) = 543.216 ms\n";

// Each line with something before it, or without trtexec's prefix.
std::string changed_lines(std::string_view text, std::string_view before, bool is_bare = false) {
  constexpr std::size_t kPrefix = std::string_view("[05/24/2024-14:43:21] [I] ").size();
  std::string result;
  while (!text.empty()) {
    std::string_view line = base::take_part(text, '\n');
    if (is_bare) line.remove_prefix(kPrefix);
    result.append(before).append(line).append("\n");
  }
  return result;
}

std::string fenced(std::string_view text) {
  return "My INT8 engine is slow, see the log:\n\n```\n" + std::string(text) +
         "```\n\nWhat can I do?\n";
}

// The way a file is examined before it is read.
std::string_view kind_of(std::string_view text) {
  const auto head = decode_head(std::string(text.substr(0, kSniffBytes)), kSniffBytes, "x");
  const ReaderInfo* reader = head ? sniff(*head) : nullptr;
  return reader == nullptr ? "" : reader->id;
}

void expect_table(std::string_view text) {
  ASSERT_EQ(kind_of(text), "tensorrt-log") << text;
  const PlanModel model = load_log(text);
  ASSERT_EQ(model.layers.row_count(), 2u) << text;
  EXPECT_EQ(model.text(model.layers.name[1]), "Abs_13 + b") << text;
  EXPECT_DOUBLE_EQ(*model.layers.mean_ms.get(0), 0.5843) << text;
}

TEST(PastedLogs, TablesInEveryForm) {
  for (const std::string_view table : {kOldTable, kNewTable}) {
    expect_table(table);
    expect_table(fenced(table));
    expect_table(changed_lines(table, "> "));
    expect_table(changed_lines(table, "    "));
    expect_table(changed_lines(table, "2024-05-24T14:43:21.1234567Z "));
    expect_table(changed_lines(table, "\x1b[0m"));
    expect_table(changed_lines(table, "", true));
    expect_table(fenced(changed_lines(table, "", true)));
    // Windows' line ends.
    std::string windows = fenced(table);
    for (std::size_t at = 0; (at = windows.find('\n', at)) != windows.npos; at += 2) {
      windows.insert(at, "\r");
    }
    expect_table(windows);
  }
}

TEST(PastedLogs, TableWithoutItsHeading) {
  expect_table(kOldTable.substr(kOldTable.find('\n') + 1));
  EXPECT_TRUE(load_log(kNewTable).layers.count.is_null(0)) << "how often is in the heading";
}

TEST(PastedLogs, LongProseBeforeTheLogDoesNotHideIt) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "I tried everything that I know of.\n";
  expect_table(text + std::string(kOldTable));
}

TEST(PastedLogs, SummariesInEveryForm) {
  const std::string headed =
      "[05/24/2024-14:43:21] [I] === Performance summary ===\n" + std::string(kSummary);
  for (const std::string& text :
       {std::string(kSummary), headed, fenced(kSummary), changed_lines(kSummary, "> "),
        changed_lines(headed, "", true), fenced(changed_lines(kSummary, "", true))}) {
    ASSERT_EQ(kind_of(text), "tensorrt-log") << text;
    const analyze::Reconciliation time = analyze::reconcile(load_log(text));
    ASSERT_TRUE(time.end_to_end) << text;
    EXPECT_EQ(time.end_to_end->median_ms, 539.882) << text;
    EXPECT_EQ(time.throughput_per_s, 1.64966) << text;
  }
}

TEST(PastedLogs, ErrorsOfOtherLoggers) {
  for (const std::string_view before :
       {"ERROR: ", "ERROR: [TRT]: ", "[TRT] [E] ",
        "[TensorRT] ERROR: ", "[05/24/2024-14:43:21] [TRT] [E] ", "[E] [TRT] ",
        "E0524 14:43:21.123456 1 logging.cc:49] ", "[2024-05-24 14:43:21   ERROR] ",
        "2024-05-24 14:43:21.12 [E:onnxruntime:Default, tensorrt_execution_provider.h:63 log] "
        "[2024-05-24 14:43:21   ERROR] ",
        "ERROR: [Torch-TensorRT TorchScript Conversion Context] - ",
        "ERROR:torch_tensorrt [TensorRT Conversion Context]:"}) {
    const std::string text =
        std::string(before) +
        "1: [runtime.cpp::deserializeCudaEngine::30] Error Code 1: Serialization (Serialization "
        "assertion magicTagRead == kPLAN_MAGIC_TAG failed.Magic tag does not match)\n";
    const LogLine line = parse_log_line(std::string_view(text).substr(0, text.size() - 1));
    EXPECT_EQ(line.severity, LogSeverity::kError) << before;
    EXPECT_TRUE(line.text.starts_with("1: [runtime.cpp")) << before << line.text;
    EXPECT_EQ(kind_of(text), "tensorrt-log") << before;
  }
}

TEST(PastedLogs, OtherProgramsLinesAreNone) {
  for (const std::string_view text :
       {"ERROR: could not open the file\nWARNING: and so on\n", "INFO: started\n",
        "Layer   Time\nconv1   3\n", "Throughput: 12 images/s\nLatency: 3 ms\n",
        "I0524 14:43:21.123456 1 server.cc:49] started\n", "1: [a] b\n", "[2024-05-24] x\n"}) {
    EXPECT_EQ(kind_of(text), "") << text;
  }
  EXPECT_FALSE(is_coded_error("12: [file.py] x"));
  LogLine line;
  EXPECT_FALSE(split_other_prefix("", line));
  EXPECT_FALSE(split_other_prefix("ERROR: [", line));
  EXPECT_FALSE(split_other_prefix("E0524 ", line));
  EXPECT_FALSE(split_other_prefix("[20", line));
}

// The output of two runs, pasted one after another: with and without headings, and from the same
// network.
TEST(PastedLogs, TwoTablesAreOfTwoRuns) {
  for (const std::string_view second : {kNewTable, kOldTable}) {
    for (const std::string_view between : {"\n", "\nwith --int8:\n\n"}) {
      const std::string text = std::string(kOldTable) + std::string(between) + std::string(second);
      const PlanModel last = load_log(text);
      EXPECT_EQ(last.layers.row_count(), 2u) << text;
      EXPECT_EQ(test::messages_of(last, "several-runs").size(), 1u) << text;
      const PlanModel first = load_log(text, 1);
      ASSERT_EQ(first.layers.row_count(), 2u) << text;
      EXPECT_EQ(first.text(first.layers.name[0]), "Conv_12");
      EXPECT_TRUE(first.layers.median_ms.is_null(0));
    }
  }
}

TEST(PastedLogs, OneSummaryAndOneTableAreOfOneRun) {
  for (const std::string& text :
       {std::string(kSummary) + std::string(kNewTable),
        "[I] === Performance summary ===\n" + std::string(kSummary) + std::string(kOldTable)}) {
    EXPECT_TRUE(test::messages_of(load_log(text), "several-runs").empty()) << text;
  }
  const std::string two = std::string(kSummary) + std::string(kNewTable) + std::string(kSummary);
  EXPECT_EQ(test::messages_of(load_log(two), "several-runs").size(), 1u);
}

}  // namespace
}  // namespace planex::ingest::tensorrt
