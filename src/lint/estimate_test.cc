// What the findings about Q/DQ placement promise, compared with what the next engine really gained.
// docs/how-to/find-what-to-quantize.md has the same table; tests/cli/test_estimates.py checks it.
#include <gtest/gtest.h>

#include <string>

#include "analyze/judgements.h"
#include "lint/run.h"
#include "support/test_data.h"

namespace planex::lint {
namespace {

struct Pair {
  const char* before;
  const char* after;
};

// One inference from end to end.
double inference_ms(const model::PlanModel& model) {
  return analyze::judge(model).end_to_end_ms.value_or(0);
}

struct Followed {
  double gain_ms = 0;
  LintReport before;
};

// What the pair gained, and what the rules that it follows said before.
Followed followed(const std::string& data, const Pair& pair) {
  const model::PlanModel before = test::must(test::load_engine(data, pair.before));
  const model::PlanModel after = test::must(test::load_engine(data, pair.after));
  RunOptions options;
  options.selection.rules = {"activation-read-in-two-precisions", "float-layer-between-quantized",
                             "int8-conv-writes-float", "quantized-layer-writes-float"};
  return {inference_ms(before) - inference_ms(after), run(before, options)};
}

class EstimateOfPair : public testing::TestWithParam<Pair> {};

TEST_P(EstimateOfPair, IsWithinTheStatedBandOfTheGain) {
  PLANEX_NEED_TEST_DATA(data);
  const auto [gain, report] = followed(data, GetParam());
  ASSERT_TRUE(report.estimated_ms);
  ASSERT_GT(gain, 0);
  // Rounded to two digits, as the band is.
  EXPECT_GE(gain / *report.estimated_ms, kLowestRatio - 0.01);
  EXPECT_LE(gain / *report.estimated_ms, kHighestRatio + 0.01);
}

// The shown band of the actions, some of which have no low end.
TEST_P(EstimateOfPair, LiesInTheBandThatIsShown) {
  PLANEX_NEED_TEST_DATA(data);
  const auto [gain, report] = followed(data, GetParam());
  const auto band = band_of(report);
  ASSERT_TRUE(band);
  EXPECT_LE(band->low_ms.value_or(0), gain * 1.01);
  EXPECT_GE(band->high_ms * 1.01, gain);
}

INSTANTIATE_TEST_SUITE_P(
    Engines, EstimateOfPair,
    testing::Values(Pair{"resnet18-a100-qat", "resnet18-a100-qat-residual"},
                    Pair{"resnet18-a100-qat-residual", "resnet18-a100-qat-residual-qgap"},
                    Pair{"mobilenet-titanrtx-qat", "mobilenet-titanrtx-qat-residual"},
                    Pair{"openvino2026.4-resnet18-qdq-naive-b8",
                         "openvino2026.4-resnet18-qdq-shared-b8"}),
    [](const testing::TestParamInfo<Pair>& pair) {
      std::string name = pair.param.before;
      for (char& c : name) {
        if (c == '-' || c == '.') c = '_';
      }
      return name;
    });

}  // namespace
}  // namespace planex::lint
