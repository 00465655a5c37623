#include "analyze/timing/streams.h"

#include <gtest/gtest.h>

#include <optional>

#include "model/builder.h"

namespace planex::analyze {
namespace {

void add_stream(model::PlanModel& model, std::int64_t stream, double busy_ms, double overlapped_ms,
                std::optional<double> waiting_ms) {
  model::StreamsTable& table = model.streams;
  const std::size_t row = table.add_row();
  table.stream_id.set(row, static_cast<std::int64_t>(row));
  table.process.set(row, 0);
  table.stream.set(row, stream);
  table.inferences.set(row, 5);
  table.launches.set(row, 10);
  table.window_ms.set(row, 10.0);
  table.busy_ms.set(row, busy_ms);
  table.overlapped_ms.set(row, overlapped_ms);
  if (waiting_ms) table.waiting_ms.set(row, *waiting_ms);
}

void add_pair(model::PlanModel& model, std::int64_t stream, std::int64_t other, double overlapped,
              std::optional<double> waiting_ms) {
  model::StreamPairsTable& table = model.stream_pairs;
  const std::size_t row = table.add_row();
  table.stream_id.set(row, stream);
  table.other_id.set(row, other);
  table.overlapped_ms.set(row, overlapped);
  if (waiting_ms) table.waiting_ms.set(row, *waiting_ms);
}

TEST(Streams, SharesAreOfTheWindow) {
  model::ModelBuilder builder;
  model::PlanModel& model = builder.model();
  add_stream(model, 7, 6, 3, 1);
  add_stream(model, 13, 4, 3, 5);
  add_pair(model, 0, 1, 3, 1);
  add_pair(model, 1, 0, 3, 5);
  const auto found = find_streams(model);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->window_ms, 10);
  ASSERT_EQ(found->streams.size(), 2U);
  EXPECT_DOUBLE_EQ(found->streams[0].busy_share, 0.6);
  EXPECT_DOUBLE_EQ(found->streams[0].overlapped_share, 0.5);
  EXPECT_DOUBLE_EQ(found->streams[1].waiting_share.value_or(0), 0.5);
  EXPECT_EQ(found->streams[1].waits_while, 0U);
  EXPECT_EQ(found->longest_wait, 1U);
  EXPECT_TRUE(found->are_waits_known);
  EXPECT_EQ(found->pairs.size(), 2U);
}

TEST(Streams, WaitsThatAreNotKnownStayUnknown) {
  model::ModelBuilder builder;
  model::PlanModel& model = builder.model();
  add_stream(model, 7, 6, 0, std::nullopt);
  add_stream(model, 13, 4, 0, std::nullopt);
  add_pair(model, 0, 1, 0, std::nullopt);
  const auto found = find_streams(model);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->are_waits_known);
  EXPECT_FALSE(found->longest_wait);
  EXPECT_FALSE(found->streams[0].waiting_share);
  EXPECT_FALSE(found->streams[0].waits_while);
}

TEST(Streams, WithoutATraceThereAreNone) {
  model::ModelBuilder builder;
  EXPECT_FALSE(find_streams(builder.model()));
}

}  // namespace
}  // namespace planex::analyze
