#include "quantize/thresholds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "support/json_tree.h"
#include "support/test_data.h"

namespace planex::quantize {
namespace {

constexpr char kHistograms[] = PLANEX_SOURCE_DIR "/tests/quantize/histograms.json";

double number(const test::JsonNode& node) { return std::strtod(node.token.c_str(), nullptr); }

struct ThresholdCase {
  std::string name;
  Histogram histogram;
  test::JsonNode answers;
};

std::vector<ThresholdCase> stored_cases() {
  test::JsonNode document = test::parse_json(test::read_text(kHistograms));
  std::vector<ThresholdCase> cases;
  for (test::JsonNode& each : document.find("histograms")->children) {
    ThresholdCase one{
        .name = each.find("name")->token, .histogram = {}, .answers = *each.find("answers")};
    one.histogram.range = number(*each.find("range"));
    for (const test::JsonNode& run : each.find("counts")->children) {
      const double count = number(run);
      if (count < 0) {
        one.histogram.counts.resize(one.histogram.counts.size() + static_cast<std::size_t>(-count));
      } else {
        one.histogram.counts.push_back(static_cast<std::uint64_t>(count));
      }
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

// Acceptance: within one bin of the NumPy reference on all of them.
TEST(Thresholds, AgreeWithTheReferenceOnRealTensors) {
  std::vector<ThresholdCase> cases = stored_cases();
  ASSERT_EQ(cases.size(), 20U);
  for (ThresholdCase& each : cases) {
    ASSERT_EQ(each.histogram.counts.size(), static_cast<std::size_t>(kHistogramBins)) << each.name;
    const double bin = each.histogram.range / kHistogramBins;
    for (const std::string method :
         {"minmax", "percentile:99.9", "percentile:99.99", "percentile:99.999", "kl", "mse"}) {
      const auto options = parse_method(method);
      ASSERT_TRUE(options);
      const double found = threshold(each.histogram, *options);
      EXPECT_NEAR(found, number(*each.answers.find("thresholds")->find(method)), bin * 1.001)
          << each.name << ' ' << method;
      const Judgement judgement = judge(each.histogram, found);
      test::JsonNode& judged = *each.answers.find("judged")->find(method);
      EXPECT_NEAR(judgement.clipped_ratio, number(*judged.find("clipped_ratio")), 1e-3)
          << each.name << ' ' << method;
      ASSERT_TRUE(judgement.sqnr_db) << each.name;
      EXPECT_NEAR(*judgement.sqnr_db, number(*judged.find("sqnr_db")), 0.3)
          << each.name << ' ' << method;
    }
  }
}

TEST(Thresholds, OfFloat8AgreeWithTheReferenceToo) {
  std::vector<ThresholdCase> cases = stored_cases();
  for (ThresholdCase& each : cases) {
    const double range = each.histogram.range;
    const double found =
        threshold(each.histogram, {.method = Method::kMse}, Encoding::kFloat8, -range, range);
    test::JsonNode& answers = *each.answers.find("float8");
    EXPECT_NEAR(found, number(*answers.find("mse")), range / kHistogramBins) << each.name;
    const Judgement judged =
        judge(each.histogram, levels_of(Encoding::kFloat8, -range, range, found));
    ASSERT_TRUE(judged.sqnr_db) << each.name;
    EXPECT_NEAR(*judged.sqnr_db, number(*answers.find("sqnr_db")), 1e-6) << each.name;
    EXPECT_NEAR(judged.clipped_ratio, number(*answers.find("clipped_ratio")), 1e-12) << each.name;
  }
}

TEST(Thresholds, TakeMilliseconds) {
  const std::vector<ThresholdCase> cases = stored_cases();
  ASSERT_FALSE(cases.empty());
  const std::clock_t start = std::clock();
  for (const ThresholdCase& each : cases) {
    EXPECT_GT(threshold(each.histogram, {.method = Method::kKl}), 0);
    EXPECT_GT(threshold(each.histogram, {.method = Method::kMse}), 0);
  }
  const double taken_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  // CPU time, far above an unoptimized build: without prefix sums it takes minutes.
  EXPECT_LT(taken_s, 10);
}

Histogram histogram_of(double range, std::vector<std::uint64_t> counts) {
  return {.range = range, .counts = std::move(counts)};
}

TEST(Thresholds, PercentileIsTheEdgeAfterTheShare) {
  const Histogram four = histogram_of(4, {50, 40, 9, 1});
  const auto at = [&](double percent) {
    return threshold(four, {.method = Method::kPercentile, .percentile = percent});
  };
  EXPECT_DOUBLE_EQ(at(50), 1);
  EXPECT_DOUBLE_EQ(at(50.1), 2);
  EXPECT_DOUBLE_EQ(at(99), 3);
  EXPECT_DOUBLE_EQ(at(99.01), 4);
  EXPECT_DOUBLE_EQ(at(100), 4);
}

TEST(Thresholds, OfNothingAreZero) {
  for (const Method method : {Method::kMinMax, Method::kPercentile, Method::kKl, Method::kMse}) {
    EXPECT_EQ(threshold({}, {.method = method}), 0);
    EXPECT_EQ(threshold(histogram_of(3, {0, 0}), {.method = method}), 0);
    EXPECT_EQ(threshold(histogram_of(0, {7, 0}), {.method = method}), 0);
  }
  EXPECT_EQ(judge({}, 0).clipped_ratio, 0);
  EXPECT_FALSE(judge({}, 0).sqnr_db);
}

TEST(Thresholds, OfFewBinsOrOneValueAreInRange) {
  std::vector<std::uint64_t> only_largest(kHistogramBins);
  only_largest.back() = 5;
  std::vector<std::uint64_t> zeros_and_largest = only_largest;
  zeros_and_largest.front() = 1000;
  for (const auto& counts :
       {std::vector<std::uint64_t>{9}, {1, 2, 3}, only_largest, zeros_and_largest}) {
    for (const Method method : {Method::kMinMax, Method::kPercentile, Method::kKl, Method::kMse}) {
      const double found = threshold(histogram_of(2, counts), {.method = method});
      EXPECT_GT(found, 0);
      EXPECT_LE(found, 2);
    }
  }
  // All values are at the end: nothing may cut it off.
  EXPECT_DOUBLE_EQ(threshold(histogram_of(2, only_largest), {.method = Method::kKl}), 2);
}

// With up to 128 bins every bin has a level of its own, so all candidates without a tail are equal.
TEST(Thresholds, KlTakesTheLastOfEqualMinima) {
  std::vector<std::uint64_t> counts(256);
  counts[0] = counts[1] = 10;
  const double found = threshold(histogram_of(256, counts), {.method = Method::kKl});
  EXPECT_DOUBLE_EQ(found, 256);
}

// One far value costs more bits for all others than its own error is worth.
TEST(Thresholds, MseCutsAnOutlierOff) {
  std::vector<std::uint64_t> counts(kHistogramBins);
  for (std::size_t bin = 0; bin < kHistogramBins / 2; ++bin) counts[bin] = 1'000'000'000;
  counts.back() = 1;
  EXPECT_NEAR(threshold(histogram_of(1, counts), {.method = Method::kMse}), 0.5, 0.011);
}

TEST(Thresholds, DoNotDependOnTheUnit) {
  for (const ThresholdCase& each : stored_cases()) {
    Histogram scaled = each.histogram;
    scaled.range *= 1024;
    for (const Method method : {Method::kPercentile, Method::kKl, Method::kMse}) {
      EXPECT_DOUBLE_EQ(threshold(scaled, {.method = method}),
                       threshold(each.histogram, {.method = method}) * 1024)
          << each.name;
    }
  }
}

TEST(Judge, CountsWhatIsBeyondAndTheError) {
  // Centers 0.5 and 1.5; with 127 / 127 = 1 as scale, 0.5 becomes 0 and 1.5 becomes 2.
  const Judgement judgement = judge(histogram_of(2, {3, 1}), 127);
  EXPECT_EQ(judgement.clipped_ratio, 0);
  ASSERT_TRUE(judgement.sqnr_db);
  EXPECT_NEAR(*judgement.sqnr_db, 10 * std::log10((3 * 0.25 + 2.25) / (4 * 0.25)), 1e-12);
  EXPECT_DOUBLE_EQ(judge(histogram_of(2, {3, 1}), 1).clipped_ratio, 0.25);
}

TEST(Method, IsReadAndWritten) {
  for (const std::string text : {"minmax", "percentile:99.99", "percentile:100", "kl", "mse"}) {
    const auto method = parse_method(text);
    ASSERT_TRUE(method) << text;
    EXPECT_EQ(to_string(*method), text);
  }
  EXPECT_EQ(parse_method("percentile")->percentile, 99.99);
  for (const std::string text : {"", "MSE", "mse:3", "entropy", "percentile:", "percentile:0",
                                 "percentile:101", "percentile:nan", "percentile:5x"}) {
    const auto method = parse_method(text);
    ASSERT_FALSE(method) << text;
    EXPECT_EQ(method.error().code, ErrorCode::kUsage);
    EXPECT_FALSE(method.error().hint.empty());
  }
}

}  // namespace
}  // namespace planex::quantize
