#include "ingest/optimize_record.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"

namespace planex::ingest {
namespace {

Result<OptimizeRecord> read_text(const std::string& text) {
  return read_optimize_record({.path = "best/optimize.json", .bytes = base::make_bytes(text)});
}

TEST(OptimizeRecord, IsPassedOnWithWhatNoReaderKnows) {
  const auto record = read_text(
      "{\n  \"schema\": \"planex.optimize/1\",\n  \"model\": \"m 1.onnx\",\n"
      "  \"steps\": [ {\"id\": \"a \\\" b\", \"new\": 1e-3} ]\n}\n");
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->model, "m 1.onnx");
  EXPECT_EQ(record->json, R"({"schema":"planex.optimize/1","model":"m 1.onnx",)"
                          R"("steps":[{"id":"a \" b","new":1e-3}]})");
}

TEST(OptimizeRecord, WhatIsNoneIsRefused) {
  const std::vector<std::pair<std::string, std::string_view>> cases = {
      {"[]", "an object"},
      {"{}", "planex.optimize"},
      {R"({"schema":"planex.sweep-plan/1"})", "\"planex.optimize/1\""},
      {R"({"schema":"planex.optimize/1","steps":[1,}]})", "steps"},
  };
  for (const auto& [text, said] : cases) {
    const auto record = read_text(text);
    ASSERT_FALSE(record) << text;
    const Error& error = record.error();
    EXPECT_EQ(error.code, ErrorCode::kBadInput) << text;
    EXPECT_EQ(error.file, "best/optimize.json");
    EXPECT_NE((error.message + error.json_pointer).find(said), std::string::npos) << error.message;
  }
}

TEST(OptimizeRecord, ThatOfANewerPlanexIsNotRead) {
  const auto record = read_text(R"({"schema":"planex.optimize/9"})");
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(record.error().hint.find("newer planex"), std::string::npos) << record.error().hint;
}

}  // namespace
}  // namespace planex::ingest
