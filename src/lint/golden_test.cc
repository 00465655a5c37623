// tests/golden/lint/<rule>/<case>/: input.graph.json with or without input.profile.json, cut from
// real engines, and expected.txt. Cases named fires* must fire, silent* must be silent; a rule
// without both kinds fails. `tools/golden --update` rewrites expected.txt and the reference page.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/files.h"
#include "lint/lint_test_model.h"
#include "lint/markdown.h"
#include "lint/run.h"
#include "lint/test_dump.h"
#include "support/golden.h"
#include "support/test_data.h"

namespace planex::lint {
namespace {

const std::string kGolden = PLANEX_SOURCE_DIR "/tests/golden/lint";

std::vector<std::string> case_names(const std::string& rule) {
  return test::folders_in(kGolden + "/" + rule);
}

struct Case {
  std::string rule;
  std::string name;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Rule* rule : rules()) {
    const std::string id(rule->info.id);
    for (std::string& name : case_names(id)) cases.push_back({id, std::move(name)});
  }
  return cases;
}

class Golden : public testing::TestWithParam<Case> {};

TEST_P(Golden, IsAsExpected) {
  const Case& golden = GetParam();
  const std::string folder = kGolden + "/" + golden.rule + "/" + golden.name;
  const model::PlanModel model =
      test::must(test::load_completed({.path = folder, .name = "reduced"}, base::disk()));
  const LintReport report = run_judged(model);
  const auto status = std::ranges::find(report.rules, golden.rule, [](const RuleStatus& entry) {
    return std::string(entry.info->id);
  });
  ASSERT_NE(status, report.rules.end());
  EXPECT_EQ(status->outcome,
            golden.name.starts_with("fires") ? RuleOutcome::kFired : RuleOutcome::kSilent)
      << status->reason;
  test::expect_golden(folder + "/expected.txt", dump(report, golden.rule, model));
}

INSTANTIATE_TEST_SUITE_P(Lint, Golden, testing::ValuesIn(all_cases()),
                         [](const testing::TestParamInfo<Case>& golden) {
                           std::string name = golden.param.rule + "_" + golden.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(GoldenCases, EveryRuleHasAFiringAndASilentOne) {
  for (const Rule* rule : rules()) {
    const auto names = case_names(std::string(rule->info.id));
    for (const std::string_view kind : {"fires", "silent"}) {
      EXPECT_TRUE(std::ranges::any_of(
          names, [&](const std::string& name) { return name.starts_with(kind); }))
          << rule->info.id << " has no golden case " << kind;
    }
  }
}

TEST(RulesReferenceGolden, IsWhatTheRulesSay) {
  test::expect_golden(PLANEX_SOURCE_DIR "/docs/reference/rules.md", rules_reference());
}

}  // namespace
}  // namespace planex::lint
