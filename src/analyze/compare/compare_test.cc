#include "analyze/compare/compare.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/test_data.h"

namespace planex::analyze {
namespace {

using Names = std::vector<std::string>;

TEST(ShortLabels, CutWhatAllShare) {
  EXPECT_EQ(short_labels(Names{"resnet18-a100-fp32", "resnet18-a100-fp16", "resnet18-a100-qat"}),
            (Names{"fp32", "fp16", "qat"}));
  EXPECT_EQ(short_labels(Names{"a.onnx.engine", "b.onnx.engine"}), (Names{"a", "b"}));
  EXPECT_EQ(short_labels(Names{"one"}), Names{"one"});
  EXPECT_EQ(short_labels(Names{}), Names{});
}

TEST(ShortLabels, KeepNamesThatWouldBeEmpty) {
  EXPECT_EQ(short_labels(Names{"net", "net-int8"}), (Names{"net", "net-int8"}));
  EXPECT_EQ(short_labels(Names{"x", "x"}), (Names{"x", "x #2"}));
}

TEST(CompareTotals, OfAnEngineWithItselfIsEven) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(test::load_engine(data, "resnet18-a100-qat"));
  const Summary summary = summarize(model);
  const EngineToCompare engine{"a", &model, &summary};
  const std::vector<EngineToCompare> both = {engine, engine};
  const Comparison comparison = compare_totals(both);
  ASSERT_EQ(comparison.engines.size(), 2u);
  EXPECT_FALSE(comparison.totals.empty());
  for (const TotalRow& row : comparison.totals) {
    ASSERT_EQ(row.values.size(), 2u);
    EXPECT_EQ(row.values[0], row.values[1]) << row.metric;
    if (row.metric.find("speed_up") != std::string::npos) {
      EXPECT_EQ(row.values[1], 1.0) << row.metric;
    }
  }
  for (const GroupRow& row : comparison.by_type) {
    EXPECT_EQ(row.median_ms[0], row.median_ms[1]) << row.key;
    EXPECT_EQ(row.count[0], row.count[1]) << row.key;
  }
  EXPECT_TRUE(compare_totals({}).engines.empty());
}

TEST(CompareTotals, SpeedUpIsTheRatioOfMedians) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel slow = test::must(test::load_engine(data, "resnet18-a100-fp32"));
  const model::PlanModel fast = test::must(test::load_engine(data, "resnet18-a100-fp16"));
  const Summary slow_summary = summarize(slow), fast_summary = summarize(fast);
  const std::vector<EngineToCompare> engines = {{"fp32", &slow, &slow_summary},
                                                {"fp16", &fast, &fast_summary}};
  const Comparison comparison = compare_totals(engines);
  for (const TotalRow& row : comparison.totals) {
    if (row.metric != "speed_up_ratio") continue;
    EXPECT_DOUBLE_EQ(*row.values[1], *slow_summary.time.end_to_end->median_ms /
                                         *fast_summary.time.end_to_end->median_ms);
    return;
  }
  FAIL() << "no row speed_up_ratio";
}

}  // namespace
}  // namespace planex::analyze
