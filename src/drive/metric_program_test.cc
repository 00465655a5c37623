#include "drive/metric_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace planex::drive {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(MetricProgram, IsCalledLikeItsFile) {
  EXPECT_EQ(metric_name({"./tools/iou.py"}), "iou");
  EXPECT_EQ(metric_name({"python3", "-u", "tools/edit_distance.py", "--fast"}), "edit_distance");
  EXPECT_EQ(metric_name({"/usr/bin/judge"}), "judge");
  EXPECT_THAT(metric_words("  python3  iou.py "), ElementsAre("python3", "iou.py"));
  EXPECT_TRUE(metric_words(" ").empty());
}

TEST(MetricProgram, PrintsANumber) {
  const auto values = parse_metric(" 0.25\n", "iou");
  ASSERT_TRUE(values);
  ASSERT_EQ(values->size(), 1U);
  EXPECT_EQ(values->front().name, "iou");
  EXPECT_EQ(values->front().value, 0.25);
  EXPECT_EQ(parse_metric("+3", "n").value().front().value, 3);
  EXPECT_EQ(parse_metric("nan", "n").value().front().value, std::nullopt);
}

TEST(MetricProgram, PrintsAnObject) {
  const auto values = parse_metric(R"({"b": 1, "a": -2.5, "none": null})", "iou");
  ASSERT_TRUE(values);
  ASSERT_EQ(values->size(), 3U);
  EXPECT_EQ(values->at(0).name, "b");
  EXPECT_EQ(values->at(0).value, 1);
  EXPECT_EQ(values->at(1).value, -2.5);
  EXPECT_EQ(values->at(2).value, std::nullopt);
}

TEST(MetricProgram, PrintsNothingElse) {
  for (const char* text : {"", "0.5 dB", "0.5\n0.6", "{\"a\": \"b\"}", "{\"a\"", "[1]", "{} {}"}) {
    const auto values = parse_metric(text, "iou");
    ASSERT_FALSE(values) << text;
    EXPECT_EQ(values.error().code, ErrorCode::kExternalTool);
    EXPECT_THAT(values.error().message, HasSubstr("\"iou\""));
  }
}

TEST(MetricProgram, IsHandedTwoFiles) {
  const auto values = run_metric({"/bin/sh", "-c", "echo ${#0}${#1}"}, "a.npz", "bc.npz", {});
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->front().value, 56);
}

TEST(MetricProgram, FailsWithItsWords) {
  const auto values =
      run_metric({"/bin/sh", "-c", "echo no such class >&2; exit 3"}, "a.npz", "b.npz", {});
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().code, ErrorCode::kExternalTool);
  EXPECT_THAT(values.error().message, HasSubstr("exit code 3"));
  EXPECT_THAT(values.error().context, HasSubstr("no such class"));
  const auto missing = run_metric({"/no/such/program"}, "a.npz", "b.npz", {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace planex::drive
