#include "ingest/nsight/stream_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "ingest/nsight/nsight_test_export.h"

namespace planex::ingest::nsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

model::PlanModel read_streams(const MadeExport& made) { return read(made, {"a", "b"}).model; }

void put_on_stream(MadeExport& made, int correlation, int stream, int context = 1) {
  made.sql(base::format(
      "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET streamId={}, contextId={} WHERE correlationId={}",
      stream, context, correlation));
}

// "7: 2 inferences, 3 launches, runs 3500 ns, 1000 beside others, waits 500".
std::vector<std::string> streams_of(const model::PlanModel& model) {
  std::vector<std::string> rows;
  const model::StreamsTable& table = model.streams;
  const auto ns = [](const model::Real& column, std::size_t row) {
    const auto ms = column.get(row);
    return ms ? base::format("{:.0f}", *ms * 1e6) : std::string("?");
  };
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    rows.push_back(base::format(
        "{}: {} inferences, {} launches, runs {} ns, {} beside others, "
        "waits {}",
        table.stream[row], table.inferences[row], table.launches[row], ns(table.busy_ms, row),
        ns(table.overlapped_ms, row), ns(table.waiting_ms, row)));
  }
  return rows;
}

// Two contexts, each on a thread and a stream of its own.
//   stream 7:   a 1000 … 3000,  b 3500 … 5000
//   stream 13:  a 2500 … 4000
MadeExport& add_two_contexts(MadeExport& made) {
  made.domain();
  for (const int thread : {1, 2}) {
    made.execution(0, 100, thread).range(10, 50, "a", thread).range(60, 80, "b", thread);
  }
  made.launch(20, 1000, 3000, "k", 1).launch(70, 3500, 5000, "k", 1);
  made.launch(30, 2500, 4000, "k", 2);
  put_on_stream(made, 3, 13);
  return made;
}

// Both had work submitted before anything ran: 13 waits while 7 runs its first kernel, for 1500 ns;
// 7 waits between its two kernels while 13 runs, for 500 ns.
TEST(StreamRows, WhoRunsBesideWhomAndWhoWaits) {
  MadeExport made;
  const model::PlanModel model = read_streams(add_two_contexts(made));
  EXPECT_THAT(
      streams_of(model),
      ElementsAre("7: 1 inferences, 2 launches, runs 3500 ns, 1000 beside others, waits 500",
                  "13: 1 inferences, 1 launches, runs 1500 ns, 1000 beside others, waits "
                  "1500"));
  EXPECT_NEAR(model.streams.window_ms[0], 0.004, 1e-12);
  EXPECT_EQ(model.streams.context[0], 1);
  ASSERT_EQ(model.stream_pairs.row_count(), 2U);
  EXPECT_EQ(model.stream_pairs.stream_id[1], 1);
  EXPECT_EQ(model.stream_pairs.other_id[1], 0);
  EXPECT_NEAR(model.stream_pairs.overlapped_ms[1], 0.001, 1e-12);
  EXPECT_NEAR(model.stream_pairs.waiting_ms[1], 0.0015, 1e-12);
}

// The same number in two CUDA contexts is two streams.
TEST(StreamRows, NumbersCountInTheirContext) {
  MadeExport made;
  add_two_contexts(made);
  put_on_stream(made, 3, 7, 2);
  const model::PlanModel model = read_streams(made);
  ASSERT_EQ(model.streams.row_count(), 2U);
  EXPECT_EQ(model.streams.context[1], 2);
  EXPECT_EQ(model.streams.stream[1], 7);
}

// Another engine's kernel, whose call is missing in the recording: its stream runs, but the time of
// submission is unknown. Work before and after this engine's inferences is ignored.
TEST(StreamRows, WorkOfOthersCountsAndUnknownStaysUnknown) {
  MadeExport made;
  made.domain().execution(0, 100).range(10, 50, "a").launch(20, 1000, 3000);
  made.work(500, 2000, 900, "other");
  put_on_stream(made, 900, 21);
  made.work(9000, 9500, 901, "later");
  put_on_stream(made, 901, 22);
  const model::PlanModel model = read_streams(made);
  EXPECT_THAT(
      streams_of(model),
      ElementsAre("7: 1 inferences, 1 launches, runs 2000 ns, 1000 beside others, waits 0",
                  "21: 0 inferences, 1 launches, runs 1000 ns, 1000 beside others, waits ?"));
}

// A stream without further submitted work has nothing to wait for; nor does one that the others
// don't hold up.
TEST(StreamRows, IdleIsNotWaiting) {
  MadeExport made;
  made.domain();
  made.execution(0, 100, 1).range(10, 50, "a", 1).launch(20, 1000, 2000, "k", 1);
  made.execution(5000, 5100, 2).range(5010, 5050, "a", 2).launch(5020, 6000, 7000, "k", 2);
  put_on_stream(made, 2, 13);
  EXPECT_THAT(streams_of(read_streams(made)),
              ElementsAre("7: 1 inferences, 1 launches, runs 1000 ns, 0 beside others, waits 0",
                          "13: 1 inferences, 1 launches, runs 1000 ns, 0 beside others, waits 0"));
}

TEST(StreamRows, WithoutStreamsThereAreNoRows) {
  MadeExport made;
  add_two_contexts(made);
  made.sql("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN streamId");
  EXPECT_THAT(streams_of(read_streams(made)), IsEmpty());
  MadeExport foreign;
  foreign.launch(10, 1000, 2000);
  EXPECT_THAT(streams_of(read_streams(foreign)), IsEmpty());
}

}  // namespace
}  // namespace planex::ingest::nsight
