#include "analyze/compare/couples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/test_data.h"

namespace planex::analyze {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Couples : public testing::Test {
 protected:
  void SetUp() override {
    PLANEX_NEED_TEST_DATA(data);
    // Engines are referred to: the lists must not grow any more.
    models_.reserve(3);
    summaries_.reserve(3);
    for (const char* name : {"fp16", "qat", "qat-residual"}) {
      models_.push_back(test::must(test::load_engine(data, std::string("resnet18-a100-") + name)));
      summaries_.push_back(summarize(models_.back()));
      engines_.push_back({name, &models_.back(), &summaries_.back(), {}});
    }
    comparison_ = compare(engines_);
  }

  static std::vector<std::pair<std::size_t, std::size_t>> ways(
      const std::vector<EngineDifference>& couples) {
    std::vector<std::pair<std::size_t, std::size_t>> ways;
    for (const EngineDifference& couple : couples) ways.emplace_back(couple.base, couple.engine);
    return ways;
  }

  std::vector<model::PlanModel> models_;
  std::vector<Summary> summaries_;
  std::vector<EngineToCompare> engines_;
  Comparison comparison_;
};

using Way = std::pair<std::size_t, std::size_t>;

TEST_F(Couples, AreAllThatTheComparisonDoesNotHave) {
  EXPECT_THAT(ways(compare_couples(engines_, comparison_)),
              ElementsAre(Way(1, 0), Way(2, 0), Way(1, 2), Way(2, 1)));
}

TEST_F(Couples, AreThoseOfTheFirstEngineWhereTheyWouldBeTooMany) {
  // 24, 37 and 27 records or so, each in two couples.
  EXPECT_THAT(ways(compare_couples(engines_, comparison_, {}, 100)),
              ElementsAre(Way(1, 0), Way(2, 0)));
}

TEST_F(Couples, AreNoneOfOneEngine) {
  const std::vector<EngineToCompare> alone = {engines_.front()};
  EXPECT_THAT(compare_couples(alone, compare(alone)), IsEmpty());
  EXPECT_THAT(compare_couples({}, compare({})), IsEmpty());
}

// The couple of the second and the third is what a comparison of these two alone says.
TEST_F(Couples, AreWhatTwoEnginesAloneGive) {
  const std::vector<EngineToCompare> two = {engines_[1], engines_[2]};
  const Comparison alone = compare(two);
  const EngineDifference& expected = alone.differences.front();
  const std::vector<EngineDifference> couples = compare_couples(engines_, comparison_);
  const EngineDifference& couple = couples[2];
  EXPECT_EQ(couple.layers.delta, expected.layers.delta);
  EXPECT_EQ(couple.layers.delta, -364'544'000'000);
  ASSERT_EQ(couple.layers.pairs.size(), expected.layers.pairs.size());
  for (std::size_t i = 0; i < expected.layers.pairs.size(); ++i) {
    EXPECT_EQ(couple.layers.pairs[i].a, expected.layers.pairs[i].a);
    EXPECT_EQ(couple.layers.pairs[i].b, expected.layers.pairs[i].b);
    EXPECT_EQ(couple.layers.pairs[i].changes, expected.layers.pairs[i].changes);
  }
  EXPECT_EQ(couple.verdict.change_ratio, expected.verdict.change_ratio);
  EXPECT_EQ(couple.verdict.low_ratio, expected.verdict.low_ratio);
}

TEST_F(Couples, AreMirrored) {
  const std::vector<EngineDifference> couples = compare_couples(engines_, comparison_);
  const EngineDifference& forth = couples[2];
  const EngineDifference& back = couples[3];
  ASSERT_EQ(forth.layers.pairs.size(), back.layers.pairs.size());
  EXPECT_EQ(*back.layers.delta, -*forth.layers.delta);
  for (std::size_t i = 0; i < forth.layers.pairs.size(); ++i) {
    EXPECT_EQ(back.layers.pairs[i].a, forth.layers.pairs[i].b);
    EXPECT_EQ(back.layers.pairs[i].b, forth.layers.pairs[i].a);
    EXPECT_EQ(back.layers.pairs[i].noise.changed, forth.layers.pairs[i].noise.changed);
  }
  EXPECT_EQ(back.verdict.judgement, Judgement::kSlower);
  EXPECT_EQ(forth.verdict.judgement, Judgement::kFaster);
  // 0.365 ms ÷ 1.096 ms one way, ÷ 0.731 ms the other.
  EXPECT_NEAR((1 + *back.verdict.change_ratio) * (1 + *forth.verdict.change_ratio), 1, 1e-12);
}

}  // namespace
}  // namespace planex::analyze
