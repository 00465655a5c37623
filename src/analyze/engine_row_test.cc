#include "analyze/engine_row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace planex::analyze {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Optional;

EngineFigures timed(std::string name, std::optional<double> median_ms, std::string device = "gpu") {
  return {.name = std::move(name), .device = std::move(device), .end_to_end_median_ms = median_ms};
}

TEST(RunTrends, RunsOfOneEngineByDate) {
  const EngineFigures first = timed("a", 2.0);
  const EngineFigures second = timed("a", 2.5);
  const EngineFigures third = timed("a", 2.0);
  const EngineFigures other = timed("b", 9.0);
  const std::vector<DatedRow> rows = {{&third, 300}, {&other, 100}, {&first, 100}, {&second, 200}};
  const auto trends = run_trends(rows);
  ASSERT_EQ(trends.size(), 1u);
  EXPECT_THAT(trends[0].rows, ElementsAre(2, 3, 0));
  // 2.5 / 2 - 1 and 2 / 2.5 - 1.
  EXPECT_THAT(trends[0].change_ratio, ElementsAre(std::nullopt, Optional(DoubleNear(0.25, 1e-12)),
                                                  Optional(DoubleNear(-0.2, 1e-12))));
}

TEST(RunTrends, OtherDevicesAndWhatIsNotKnownAreLeftOut) {
  const EngineFigures here = timed("a", 2.0);
  const EngineFigures there = timed("a", 2.5, "cpu");
  const EngineFigures untimed = timed("a", std::nullopt);
  EXPECT_TRUE(
      run_trends(std::vector<DatedRow>{
                     {&here, 1}, {&there, 2}, {&untimed, 3}, {&here, std::nullopt}, {nullptr, 4}})
          .empty());
}

TEST(RunTrends, OtherPrecisionsAndBatchesAreOtherEngines) {
  EngineFigures fp32 = timed("resnet", 2.0);
  fp32.precision = "FP32";
  EngineFigures fp16 = timed("resnet", 1.0);
  fp16.precision = "FP16";
  EngineFigures batch = fp16;
  batch.batch_size = 8;
  EXPECT_TRUE(run_trends(std::vector<DatedRow>{{&fp32, 1}, {&fp16, 2}, {&batch, 3}}).empty());
}

TEST(RunTrends, NoRatioOfZero) {
  const EngineFigures zero = timed("a", 0.0);
  const EngineFigures some = timed("a", 1.0);
  const auto trends = run_trends(std::vector<DatedRow>{{&zero, 1}, {&some, 2}});
  ASSERT_EQ(trends.size(), 1u);
  EXPECT_THAT(trends[0].change_ratio, ElementsAre(std::nullopt, std::nullopt));
}

}  // namespace
}  // namespace planex::analyze
