#include "quantize/placement_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

#include "engines/engine_rules.h"

namespace planex::quantize {
namespace {

using ::testing::ElementsAre;

TEST(PlacementRules, AreCompleteAndHaveIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const PlacementRule& rule : placement_rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_EQ(rule.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos);
    for (const std::string_view text : {rule.condition, rule.edit, rule.why, rule.source}) {
      EXPECT_FALSE(text.empty()) << rule.id;
      EXPECT_NE(text.back(), '.') << rule.id;
    }
    EXPECT_EQ(find_placement_rule(rule.id), &rule);
    // A rule that no target follows is not a rule.
    EXPECT_FALSE(rule.tensorrt == Stance::kNo && rule.tensorrt_rtx == Stance::kNo &&
                 rule.openvino == Stance::kNo && rule.onnxruntime == Stance::kNo)
        << rule.id;
  }
  EXPECT_GE(ids.size(), 18U);
  EXPECT_EQ(find_placement_rule("no-such-rule"), nullptr);
}

// Ids are written into files and read by others: removing or renaming one breaks them.
TEST(PlacementRules, KeepTheirIds) {
  for (const std::string_view id : {"weighted-inputs",
                                    "convolutions-in-half",
                                    "scalar-scale",
                                    "small-convolution",
                                    "narrow-convolution",
                                    "transposed-convolution",
                                    "vector-product",
                                    "weights-in-blocks",
                                    "whole-blocks",
                                    "products-only",
                                    "attention-in-float",
                                    "normalization-in-float",
                                    "control-flow-in-float",
                                    "floats-only",
                                    "by-request",
                                    "one-pair-per-tensor",
                                    "no-output-pair",
                                    "residual-skip",
                                    "skip-choice",
                                    "residual-both",
                                    "pool-after-pair",
                                    "average-pool-pair",
                                    "concat-shared-scale",
                                    "unsigned-behind-resize",
                                    "pair-after-product",
                                    "no-pair-inside-convolution",
                                    "float-bias",
                                    "ends-in-float",
                                    "zero-point-zero",
                                    "unsigned-activations",
                                    "transposed-convolution-in-float",
                                    "quantized-output",
                                    "operation-between-pairs",
                                    "unsigned-throughout",
                                    "positive-scales",
                                    "seven-bit-weights",
                                    "dla-cache"}) {
    EXPECT_NE(find_placement_rule(id), nullptr) << id;
  }
}

TEST(PlacementRules, TellTargetsApart) {
  EXPECT_EQ(stance(*find_placement_rule("residual-skip"), Target::kTensorrt), Stance::kYes);
  EXPECT_EQ(stance(*find_placement_rule("residual-skip"), Target::kOpenvino), Stance::kNo);
  EXPECT_EQ(stance(*find_placement_rule("residual-both"), Target::kOpenvino), Stance::kYes);
  EXPECT_EQ(stance(*find_placement_rule("convolutions-in-half"), Target::kTensorrtRtx),
            Stance::kYes);
  EXPECT_EQ(stance(*find_placement_rule("quantized-output"), Target::kOnnxruntime), Stance::kYes);
  EXPECT_EQ(stance(*find_placement_rule("quantized-output"), Target::kOpenvino), Stance::kNo);
  for (const Target target :
       {Target::kTensorrt, Target::kTensorrtRtx, Target::kOpenvino, Target::kOnnxruntime}) {
    EXPECT_EQ(target_of(to_string(target)), target);
  }
  EXPECT_FALSE(target_of("tensorrt-11"));
  EXPECT_FALSE(takes(Target::kOpenvino, NumberFormat::kFp8));
  EXPECT_TRUE(takes(Target::kOpenvino, NumberFormat::kInt4));
  EXPECT_FALSE(takes(Target::kOnnxruntime, NumberFormat::kFp8));
  EXPECT_EQ(to_string(Stance::kMeasured), "measured");
}

// What a rule says about an engine is a row of the engine table, cited by its id.
TEST(PlacementRules, NameRowsOfTheTableOfEngines) {
  std::size_t count = 0;
  for (const PlacementRule& rule : placement_rules()) {
    std::string id;
    for (const char letter : std::string(rule.source) + " ") {
      if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-') {
        id += letter;
        continue;
      }
      if (id.starts_with("ort-") || id.starts_with("rtx-") || id.starts_with("openvino-")) {
        ++count;
        EXPECT_NE(engines::find_engine_rule(id), nullptr) << rule.id << ": " << id;
      }
      id.clear();
    }
    const bool is_ours = rule.onnxruntime == Stance::kYes && rule.openvino == Stance::kNo &&
                         rule.tensorrt == Stance::kNo;
    if (is_ours) EXPECT_NE(rule.source.find("engine rule"), std::string_view::npos) << rule.id;
  }
  EXPECT_GE(count, 8U);
}

TEST(PlacementRules, TellFormatsApart) {
  for (const NumberFormat format : number_formats()) {
    EXPECT_EQ(number_format_of(to_string(format)), format);
  }
  EXPECT_FALSE(number_format_of("int2"));
  EXPECT_THAT(formats_of(*find_placement_rule("weighted-inputs")), ElementsAre("int8", "fp8"));
  EXPECT_THAT(formats_of(*find_placement_rule("seven-bit-weights")), ElementsAre("int8"));
  EXPECT_THAT(formats_of(*find_placement_rule("by-request")), ElementsAre("int8", "fp8", "int4"));
  for (const PlacementRule& rule : placement_rules()) EXPECT_FALSE(formats_of(rule).empty());
  EXPECT_THAT(block_sizes(Target::kTensorrt), ElementsAre(64, 128));
  EXPECT_FALSE(takes_channel_blocks(Target::kTensorrt));
}

}  // namespace
}  // namespace planex::quantize
