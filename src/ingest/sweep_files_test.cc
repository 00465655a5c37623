#include "ingest/sweep_files.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files.h"
#include "base/text.h"

namespace planex::ingest {
namespace {

constexpr std::string_view kAxes = R"([{"name":"batch","values":["1","2"]}])";

std::string plan_of(std::string_view model, std::string_view axes, std::string_view cells) {
  return base::format(
      R"({{"schema":"planex.sweep-plan/1","model":"{}","repeats":2,"axes":{},"cells":{}}})", model,
      axes, cells);
}

Result<SweepFile> read(const std::string& text) {
  return read_sweep({.path = "s/sweep.json", .bytes = base::make_bytes(text)});
}

TEST(SweepFiles, PlanOfAGrid) {
  const auto sweep = read(plan_of(
      "m.onnx", kAxes, R"([{"id":"batch-1","values":["1"]},{"id":"batch-2","values":["2"]}])"));
  ASSERT_TRUE(sweep) << sweep.error().message;
  EXPECT_EQ(sweep->model, "m.onnx");
  EXPECT_EQ(sweep->repeats, 2);
  ASSERT_EQ(sweep->cells.size(), 2U);
  EXPECT_EQ(sweep->cells[1].id, "batch-2");
  EXPECT_EQ(sweep->cells[1].values, std::vector<std::string>{"2"});
}

// Each error says where the problem is, and what it is.
TEST(SweepFiles, PlansThatAreNone) {
  struct Case {
    std::string text, pointer, message;
  };
  const std::vector<Case> cases = {
      {plan_of("", kAxes, "[]"), "/model", "it names no model"},
      {plan_of("m", kAxes, "[]"), "/cells", "it has no cells"},
      {plan_of("m", kAxes, R"([{"id":"../x","values":["1"]}])"), "/cells/0/id",
       "\"../x\" is not a valid name for a cell's folder"},
      {plan_of("m", kAxes, R"([{"id":"a","values":["1"]},{"id":"a","values":["2"]}])"),
       "/cells/1/id", "two cells are called \"a\""},
      {plan_of("m", kAxes, R"([{"id":"a","values":[]}])"), "/cells/0/values",
       "a cell has 0 values, expected one for each of 1 axes"},
      {plan_of("m", kAxes, R"([{"id":"a","values":["3"]}])"), "/cells/0/values/0",
       "\"3\" is not a value of \"batch\""},
  };
  for (const Case& bad : cases) {
    const auto sweep = read(bad.text);
    ASSERT_FALSE(sweep) << bad.text;
    EXPECT_EQ(sweep.error().code, ErrorCode::kBadInput);
    EXPECT_EQ(sweep.error().file, "s/sweep.json");
    EXPECT_EQ(sweep.error().json_pointer, bad.pointer);
    EXPECT_EQ(sweep.error().message, "not a sweep: " + bad.message);
  }
}

TEST(SweepFiles, ARunThatFailed) {
  const auto run =
      read_sweep_run({.path = "run.json",
                      .bytes = base::make_bytes(R"({"schema":"planex.sweep-run/1",)"
                                                R"("cell":"batch-1","run":2,"state":"failed",)"
                                                R"("engine":null,"error":{"message":"no"}})")});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->run, 2);
  EXPECT_FALSE(run->is_done);
  EXPECT_TRUE(run->engine.empty());
  ASSERT_TRUE(run->error);
  EXPECT_EQ(run->error->message, "no");
}

}  // namespace
}  // namespace planex::ingest
