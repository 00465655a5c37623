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
  EXPECT_EQ(proof_of("int8-conv-writes-float", "tensorrt", ActionKind::kEdit), Proof::kRecorded);
  EXPECT_EQ(proof_of("concat-copies", "tensorrt", ActionKind::kEdit), Proof::kNotProven);
}

// The pair has Q/DQ on its skip paths: it says nothing about a caller who quantizes.
TEST(Evidence, IsOfTheAdviceThatWasFollowed) {
  EXPECT_EQ(proof_of("qdq-unfused", "tensorrt", ActionKind::kEdit), Proof::kRecorded);
  EXPECT_EQ(proof_of("qdq-unfused", "tensorrt", ActionKind::kCaller), Proof::kNotProven);
  EXPECT_EQ(proof_of("reformat-changes-layout", "openvino", ActionKind::kCaller), Proof::kMeasured);
  EXPECT_EQ(proof_of("no-reduced-precision", "tensorrt", ActionKind::kOption), Proof::kRecorded);
}

TEST(Evidence, OfAnotherEngineOrRuleThereIsNone) {
  EXPECT_EQ(find_evidence("float32-on-bfloat16-cpu", "tensorrt"), nullptr);
  EXPECT_EQ(find_evidence("", ""), nullptr);
  EXPECT_EQ(find_evidence("zzz", "openvino"), nullptr);
  EXPECT_EQ(proof_of("no-such-rule", "openvino", ActionKind::kEdit), Proof::kNotProven);
}

TEST(Evidence, OfOneRuleIsByEngine) {
  const auto rows = evidence_of("padding-as-a-layer");
  ASSERT_EQ(rows.size(), kEngines.size());
  for (const Evidence& row : rows) EXPECT_EQ(find_evidence(row.rule, row.engine), &row);
  EXPECT_TRUE(evidence_of("no-such-rule").empty());
}

// The band 0.94 … 1.50 comes from pairs of engines. A part of what was measured since is within it,
// given the noise of the measurement; the rest gained more. None gained less, and that is the
// purpose of a promise.
TEST(Evidence, ABandIsClaimedOnlyWhereMeasurementsReachIt) {
  std::size_t measured = 0, inside = 0, above = 0, below = 0;
  for (const Rule* rule : rules()) {
    for (const Evidence& row : evidence_of(rule->info.id)) {
      if (row.proof != Proof::kMeasured || !row.ratio) continue;
      EXPECT_LE(row.ratio->low, row.ratio->high) << row.rule;
      ++measured;
      below += falls_short(row.rule, row.engine) ? 1U : 0U;
      above += row.ratio->low > kHighestRatio ? 1U : 0U;
      inside += row.ratio->low <= kHighestRatio && row.ratio->high >= kLowestRatio ? 1U : 0U;
    }
  }
  EXPECT_GE(measured, 20U);
  EXPECT_GE(inside, 5U);
  EXPECT_EQ(inside + above, measured);
  EXPECT_EQ(below, 0U);
  // A fix that gained nothing.
  Evidence row = *find_evidence("padding-as-a-layer", "openvino");
  EXPECT_FALSE(falls_short(row));
  row.ratio = GainedRatio{-1.6, 0.3};
  EXPECT_TRUE(falls_short(row));
  row.ratio.reset();
  EXPECT_FALSE(falls_short(row)) << "of which nothing is known";
  EXPECT_FALSE(falls_short("quantized-layer-writes-float", "tensorrt"));
  EXPECT_FALSE(falls_short("no-such-rule", "openvino"));
}

// A gain is never claimed for an engine that the rule does not apply to.
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
