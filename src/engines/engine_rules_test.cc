#include "engines/engine_rules.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace planex::engines {
namespace {

TEST(EngineRules, EachIsSaidOnceForAnEngine) {
  std::set<std::string_view> ids;
  std::set<std::pair<std::string_view, Condition>> conditions;
  for (const EngineRule& rule : engine_rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_TRUE(conditions.insert({rule.engine, rule.condition}).second) << rule.id;
    EXPECT_EQ(find_engine_rule(rule.engine, rule.condition), &rule);
    EXPECT_EQ(find_engine_rule(rule.id), &rule);
    for (const std::string_view text :
         {rule.version, rule.device, rule.fuses, rule.stays, rule.source}) {
      EXPECT_FALSE(text.empty()) << rule.id;
      EXPECT_FALSE(text.ends_with('.')) << rule.id;
    }
    // A clause that explains a layer comes with what to do.
    if (!rule.because.empty()) EXPECT_FALSE(rule.cure.empty()) << rule.id;
  }
  EXPECT_EQ(find_engine_rule("onnxruntime", Condition::kScaleRank), nullptr);
  EXPECT_EQ(find_engine_rule("nobody", Condition::kEqualTypes), nullptr);
}

// Its builder needs a GPU, so a test can't build any of its rules.
TEST(EngineRules, ThoseOfTensorrtAreNotSaidToBeBuilt) {
  for (const EngineRule& rule : engine_rules()) {
    if (rule.engine == "tensorrt") EXPECT_NE(rule.proof, Proof::kBuilt) << rule.id;
  }
}

}  // namespace
}  // namespace planex::engines
