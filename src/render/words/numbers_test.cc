// The page writes the same numbers: web/src/base/number_cases_test.ts reads the same cases.
#include "render/words/numbers.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/drawing/edges.h"
#include "render/drawing/paint.h"

namespace planex::render {
namespace {

constexpr char kCases[] = PLANEX_SOURCE_DIR "/tests/data/number_cases.json";

class NumberCases : public testing::Test {
 protected:
  void SetUp() override { ASSERT_FALSE(parser_.load(kCases).get(cases_)); }

  void expect(std::string_view topic, const std::function<std::string(double)>& text) const {
    std::size_t count = 0;
    for (const simdjson::dom::element item : cases_[topic].get_array()) {
      const double value = item.at(0);
      EXPECT_EQ(text(value), std::string_view(item.at(1))) << topic << " " << value;
      ++count;
    }
    EXPECT_GT(count, 0u) << topic;
  }

  simdjson::dom::parser parser_;
  simdjson::dom::element cases_;
};

TEST_F(NumberCases, AreWrittenAsThePageWritesThem) {
  expect("bytes", bytes_text);
  expect("count", [](double value) { return grouped(static_cast<std::int64_t>(value)); });
  expect("percent", percent_text);
  expect("ms", ms_text);
  expect("us", us_text);
  expect("flops", flops_text);
  expect("flops_per_s", [](double value) { return base::rate_text(value); });
  expect("ops_per_s",
         [](double value) { return base::rate_text(value, base::Arithmetic::kInteger); });
  expect("bytes_per_s", bandwidth_text);
  for (const simdjson::dom::element item : cases_["dims"].get_array()) {
    std::vector<std::int64_t> dims;
    for (const std::int64_t dim : item.at(0).get_array()) dims.push_back(dim);
    EXPECT_EQ(dims_text(dims), std::string_view(item.at(1)));
  }
}

TEST_F(NumberCases, HaveTheSameStepsOfHeat) {
  for (const simdjson::dom::element item : cases_["heat"].get_array()) {
    std::vector<double> values;
    for (const double value : item["values"].get_array()) values.push_back(value);
    const auto scale = heat_scale(values);
    ASSERT_TRUE(scale);
    for (const simdjson::dom::element pair : item["steps"].get_array()) {
      const double value = pair.at(0);
      EXPECT_EQ(scale->step(value), std::uint64_t(pair.at(1))) << value;
    }
  }
}

TEST_F(NumberCases, HaveTheSameWidthsOfEdges) {
  for (const simdjson::dom::element item : cases_["edge_width"].get_array()) {
    const std::int64_t bytes = item.at(0);
    EXPECT_DOUBLE_EQ(stroke_of(bytes), double(item.at(1))) << bytes;
  }
  EXPECT_EQ(stroke_of({}), stroke_of(0));
}

TEST(Numbers, RoundHalvesAwayFromZero) {
  EXPECT_EQ(base::fixed(12.25, 1), "12.3");
  EXPECT_EQ(base::fixed(-12.25, 1), "-12.3");
  EXPECT_EQ(base::fixed(2.5, 0), "3");
  EXPECT_EQ(base::fixed(0.15, 1), "0.1");  // is below 0.15
  EXPECT_EQ(base::fixed(-0.001, 1), "0.0");
  EXPECT_EQ(base::fixed(1e300, 1), base::format("{:.1f}", 1e300));
}

TEST(Numbers, ShortTimesHaveTheUnitThatFits) {
  EXPECT_EQ(short_time_text(0.0061), "6.1 µs");
  EXPECT_EQ(short_time_text(0.2024), "202 µs");
  EXPECT_EQ(short_time_text(0.9996), "1.00 ms");
  EXPECT_EQ(short_time_text(19.651), "19.7 ms");
  EXPECT_EQ(short_time_text(999.9), "1.00 s");
  EXPECT_EQ(short_time_text(2345), "2.35 s");
}

}  // namespace
}  // namespace planex::render
