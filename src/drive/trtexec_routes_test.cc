// Knobs of build routes as trtexec lists them, with and without lines of its log around them.
#include "drive/trtexec_routes.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace planex::drive {
namespace {

constexpr std::string_view kBanner =
    "&&&& RUNNING TensorRT.trtexec [TensorRT v110100] [b106] # trtexec --helpBuildRoute\n";

TEST(TrtexecRoutes, KnobsAreRead) {
  const TrtexecFacts facts =
      trtexec_facts(base::format("{}{}", kBanner,
                                 R"({"tuner_version": "2.19.45", "tuner_options": [
        {"option": "-conv_lowering", "allowed_values": ["on", "off"], "default_value": "on",
         "help": "Lower convolutions {early}."},
        {"option": "kgen:tiling", "allowed_values": [0, 1, 2], "default_value": 2, "help": ""},
        {"option": "-only", "allowed_values": ["on"], "default_value": "on"},
        {"option": "-broken"}]}
[11/30/2026-10:00:00] [I] done
)"));
  EXPECT_EQ(facts.version, (trtexec::TensorrtVersion{11, 1}));
  EXPECT_EQ(facts.tuner_version, "2.19.45");
  EXPECT_EQ(facts.why_no_knobs, "");
  ASSERT_EQ(facts.knobs.size(), 2U);
  EXPECT_EQ(facts.knobs[0].name, "-conv_lowering");
  EXPECT_EQ(facts.knobs[0].values, (std::vector<std::string>{"on", "off"}));
  EXPECT_EQ(facts.knobs[0].standard, "on");
  EXPECT_EQ(facts.knobs[1].name, "-kgen:tiling");
  EXPECT_EQ(facts.knobs[1].values, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(facts.knobs[1].standard, "2");
}

TEST(TrtexecRoutes, OlderVersionsHaveNone) {
  const TrtexecFacts facts = trtexec_facts(
      "&&&& RUNNING TensorRT.trtexec [TensorRT v101601] # trtexec --helpBuildRoute\n"
      "&&&& FAILED TensorRT.trtexec [TensorRT v101601] # trtexec --helpBuildRoute\n");
  EXPECT_TRUE(facts.knobs.empty());
  EXPECT_EQ(facts.version, (trtexec::TensorrtVersion{10, 16}));
  EXPECT_TRUE(facts.why_no_knobs.starts_with("trtexec 10.16.1 has no build routes; 11.1 is"))
      << facts.why_no_knobs;
}

TEST(TrtexecRoutes, OptionsBelongToVersions) {
  TrtexecFacts facts;
  EXPECT_TRUE(acts_on(facts, "useCudaGraph"));
  facts = {.version = {8, 6}, .version_text = "8.6"};
  EXPECT_TRUE(acts_on(facts, "useCudaGraph"));
  EXPECT_FALSE(acts_on(facts, "tilingOptimizationLevel"));
  facts = {.version = {11, 1}, .version_text = "11.1"};
  EXPECT_FALSE(acts_on(facts, "useCudaGraph"));
  EXPECT_TRUE(acts_on(facts, "tilingOptimizationLevel"));
  EXPECT_TRUE(acts_on(facts, "newer-than-planex"));
}

TEST(TrtexecRoutes, WhatIsNoListIsSaid) {
  for (const std::string_view output :
       {"", "{", "\"tuner_options\"", "{\"tuner_options\": 3}", "{\"tuner_options\": [}"}) {
    const TrtexecFacts facts = trtexec_facts(base::format("{}{}", kBanner, output));
    EXPECT_TRUE(facts.knobs.empty());
    EXPECT_NE(facts.why_no_knobs, "");
  }
}

TEST(TrtexecRoutes, ARouteKeepsItsWords) {
  EXPECT_EQ(route_with("", "-a", "on"), "-a=on");
  EXPECT_EQ(route_with("-a=on -b=2", "-b", "1"), "-a=on -b=1");
  EXPECT_EQ(route_with("-a=on -b=2", "-ab", "1"), "-a=on -b=2 -ab=1");
}

}  // namespace
}  // namespace planex::drive
