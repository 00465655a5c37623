#include "analyze/timing/host_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "analyze/timing/reconcile.h"
#include "model/builder.h"

namespace planex::analyze {
namespace {

void add_iteration(model::ModelBuilder& builder, double compute_ms, double h2d_ms) {
  model::IterationsTable& table = builder.model().iterations;
  const std::size_t row = table.add_row();
  table.compute_ms.set(row, compute_ms);
  table.h2d_ms.set(row, h2d_ms);
  table.d2h_ms.set(row, 0.0);
  table.enqueue_ms.set(row, 0.5);
  table.latency_ms.set(row, compute_ms + h2d_ms);
}

const HostPart* part(const HostTimes& times, std::string_view id) {
  const auto found = std::ranges::find(times.parts, id, &HostPart::id);
  return found == times.parts.end() ? nullptr : &*found;
}

TEST(HostTimes, OfATimesFile) {
  model::ModelBuilder builder;
  add_iteration(builder, 61.75, 2);
  add_iteration(builder, 1, 0.25);
  add_iteration(builder, 2, 0.5);
  const model::PlanModel model = builder.finish();
  const auto times = find_host_times(model, reconcile(model));
  ASSERT_TRUE(times.has_value());
  EXPECT_EQ(times->source, "times");
  EXPECT_EQ(times->end_to_end_part, "compute");
  EXPECT_EQ(times->first_ms, 61.75);
  ASSERT_NE(part(*times, "compute"), nullptr);
  EXPECT_EQ(part(*times, "compute")->median_ms, 2);
  EXPECT_EQ(part(*times, "compute")->max_ms, 61.75);
  EXPECT_EQ(part(*times, "h2d")->median_ms, 0.5);
  EXPECT_EQ(part(*times, "latency")->max_ms, 63.75);
  EXPECT_EQ(part(*times, "enqueue")->median_ms, 0.5);
  EXPECT_FALSE(times->has_no_transfers) << "there are some to the device";
}

TEST(HostTimes, TransfersThatWereLeftOutAreUnknown) {
  model::ModelBuilder builder;
  add_iteration(builder, 1, 0);
  add_iteration(builder, 2, 0);
  const model::PlanModel model = builder.finish();
  const auto times = find_host_times(model, reconcile(model));
  ASSERT_TRUE(times.has_value());
  EXPECT_TRUE(times->has_no_transfers);
  EXPECT_EQ(part(*times, "h2d"), nullptr);
  EXPECT_EQ(part(*times, "d2h"), nullptr);
}

TEST(HostTimes, OfThePerformanceSummaryOfALog) {
  model::ModelBuilder builder;
  for (const auto& [key, value] : {std::pair{"GPU Compute Time", "[1, 9, 2.5, 2, 4]"},
                                   {"H2D Latency", "[0.1, 3, 0.3, 0.2, 1]"},
                                   {"Latency", "[1.2, 9.5, 3, 2.3, 5]"}}) {
    builder.add_metadata("performance_summary", key, value, "run.log");
  }
  const model::PlanModel model = builder.finish();
  const auto times = find_host_times(model, reconcile(model));
  ASSERT_TRUE(times.has_value());
  EXPECT_EQ(times->source, "log");
  EXPECT_EQ(times->end_to_end_part, "compute");
  EXPECT_EQ(times->parts.size(), 3u) << "what the log has";
  EXPECT_EQ(part(*times, "h2d")->median_ms, 0.2);
  EXPECT_EQ(part(*times, "latency")->max_ms, 9.5);
  EXPECT_EQ(times->first_ms, std::nullopt);
}

TEST(HostTimes, OnePartAloneSaysNothing) {
  model::ModelBuilder builder;
  model::IterationsTable& table = builder.model().iterations;
  for (const double ms : {1.0, 2.0}) table.latency_ms.set(table.add_row(), ms);
  const model::PlanModel model = builder.finish();
  EXPECT_FALSE(find_host_times(model, reconcile(model)).has_value());
}

}  // namespace
}  // namespace planex::analyze
