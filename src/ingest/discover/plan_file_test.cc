#include "ingest/discover/plan_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace planex::ingest {
namespace {

using testing::Contains;
using testing::Pair;

std::string engine_of(int major, int minor, int patch, int build = 0) {
  std::string bytes = "ftrt" + std::string(20, '\0');
  for (const int number : {major, minor, patch, build}) bytes += static_cast<char>(number);
  return bytes + std::string(40, '\x7f');
}

std::string wrapped(std::string_view json, std::string_view engine, std::size_t length) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(length >> shift & 0xff);
  return bytes + std::string(json) + std::string(engine);
}

TEST(PlanFile, TellsItsVersion) {
  EXPECT_EQ(inspect_plan(engine_of(10, 3, 0, 26))->version, "10.3.0.26");
  EXPECT_EQ(inspect_plan(engine_of(8, 6, 1))->version, "8.6.1");
  // Before 8.6 these bytes are something else.
  EXPECT_EQ(inspect_plan(engine_of(8, 5, 1))->version, "");
  EXPECT_EQ(inspect_plan(engine_of(200, 7, 1))->version, "");
  EXPECT_EQ(inspect_plan("ftrt")->version, "") << "cut";
  EXPECT_FALSE(inspect_plan(""));
  EXPECT_FALSE(inspect_plan("ptrt or anything"));
}

TEST(PlanFile, FindsWhatUltralyticsWritesBeforeIt) {
  constexpr std::string_view kJson =
      R"({"description": "YOLO", "names": {"0": "a", "1": "b"}, "imgsz": [320, 640],)"
      R"( "args": {"half": true, "int8": false}})";
  const std::string file = wrapped(kJson, engine_of(10, 3, 0), kJson.size());
  const auto plan = inspect_plan(file);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->wrapper_bytes, 4 + kJson.size());
  EXPECT_EQ(file.substr(plan->wrapper_bytes, 4), "ftrt");
  EXPECT_EQ(plan->version, "10.3.0");
  EXPECT_THAT(plan->facts, Contains(Pair("imgsz", "320x640")));
  EXPECT_THAT(plan->facts, Contains(Pair("names", "2")));
  EXPECT_THAT(plan->facts, Contains(Pair("half", "true")));
  EXPECT_EQ(plan_head_bytes(file), 4 + kJson.size() + 28);
}

TEST(PlanFile, BrokenWrappersAreTold) {
  constexpr std::string_view kJson = R"({"task": "detect"})";
  const auto cut = inspect_plan(wrapped(kJson, "", 5000));
  ASSERT_TRUE(cut);
  EXPECT_TRUE(cut->is_cut_in_wrapper);
  EXPECT_FALSE(cut->has_tag);
  const auto without_engine = inspect_plan(wrapped(kJson, "nothing", kJson.size()));
  ASSERT_TRUE(without_engine);
  EXPECT_FALSE(without_engine->has_tag);
  // The JSON can't be read, but the engine is where the length says.
  const auto odd = inspect_plan(wrapped("{\"task\": de}", engine_of(10, 0, 1), 12));
  ASSERT_TRUE(odd);
  EXPECT_TRUE(odd->facts.empty());
  EXPECT_EQ(odd->version, "10.0.1");
  EXPECT_FALSE(inspect_plan(wrapped("{a}", "nothing", 3)));
  EXPECT_FALSE(inspect_plan(wrapped(kJson, "", 0xffffffff)));
}

}  // namespace
}  // namespace planex::ingest
