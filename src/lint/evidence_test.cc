#include "lint/evidence.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "lint/rule.h"
#include "lint/run.h"

namespace planex::lint {
namespace {

constexpr std::array<std::string_view, 4> kEngines = {"tensorrt", "tensorrt-rtx", "openvino",
                                                      "onnxruntime"};

TEST(Evidence, SaysHowEachGainIsKnown) {
  const Evidence* found = find_evidence("transpose-as-a-layer", "openvino");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->proof, Proof::kMeasured);
  EXPECT_TRUE(found->version.starts_with("OpenVINO 20")) << found->version;
  EXPECT_NE(found->said.find(" ms"), std::string_view::npos) << found->said;
  EXPECT_EQ(proof_of("int8-conv-writes-float", "tensorrt"), Proof::kRecorded);
  EXPECT_EQ(proof_of("concat-copies", "tensorrt"), Proof::kNotProven);
}

TEST(Evidence, OfAnotherEngineOrRuleThereIsNone) {
  EXPECT_EQ(find_evidence("float32-on-bfloat16-cpu", "tensorrt"), nullptr);
  EXPECT_EQ(find_evidence("", ""), nullptr);
  EXPECT_EQ(find_evidence("zzz", "openvino"), nullptr);
  EXPECT_EQ(proof_of("no-such-rule", "openvino"), Proof::kNotProven);
}

TEST(Evidence, OfOneRuleIsByEngine) {
  const auto rows = evidence_of("padding-as-a-layer");
  ASSERT_EQ(rows.size(), kEngines.size());
  for (const Evidence& row : rows) EXPECT_EQ(find_evidence(row.rule, row.engine), &row);
  EXPECT_TRUE(evidence_of("no-such-rule").empty());
}

// A gain is never claimed of an engine that the rule is not about.
TEST(Evidence, IsOfEnginesThatTheRuleIsAbout) {
  for (const Rule* rule : rules()) {
    for (const std::string_view engine : kEngines) {
      const Evidence* const evidence = find_evidence(rule->info.id, engine);
      if (evidence == nullptr) continue;
      EXPECT_TRUE(applies(rule->info.pack, engine)) << rule->info.id << " " << engine;
      EXPECT_FALSE(evidence->said.empty()) << rule->info.id << " " << engine;
    }
  }
}

}  // namespace
}  // namespace planex::lint
