#include "analyze/compare/engine_pairs.h"

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

class EnginePairs : public testing::Test {
 protected:
  void SetUp() override {
    PLANEX_NEED_TEST_DATA(data);
    // Results refer to the engines: the lists must not grow any more.
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
      const std::vector<EngineDifference>& engine_pairs) {
    std::vector<std::pair<std::size_t, std::size_t>> ways;
    for (const EngineDifference& engine_pair : engine_pairs)
      ways.emplace_back(engine_pair.base, engine_pair.engine);
    return ways;
  }

  std::vector<model::PlanModel> models_;
  std::vector<Summary> summaries_;
  std::vector<EngineToCompare> engines_;
  Comparison comparison_;
};

using Way = std::pair<std::size_t, std::size_t>;

TEST_F(EnginePairs, AreAllThatTheComparisonDoesNotHave) {
  EXPECT_THAT(ways(compare_engine_pairs(engines_, comparison_)),
              ElementsAre(Way(1, 0), Way(2, 0), Way(1, 2), Way(2, 1)));
}

TEST_F(EnginePairs, AreThoseOfTheFirstEngineWhereTheyWouldBeTooMany) {
  // About 24, 37 and 27 records, each in two engine_pairs.
  EXPECT_THAT(ways(compare_engine_pairs(engines_, comparison_, {}, 100)),
              ElementsAre(Way(1, 0), Way(2, 0)));
}

TEST_F(EnginePairs, AreNoneOfOneEngine) {
  const std::vector<EngineToCompare> alone = {engines_.front()};
  EXPECT_THAT(compare_engine_pairs(alone, compare(alone)), IsEmpty());
  EXPECT_THAT(compare_engine_pairs({}, compare({})), IsEmpty());
}

// The engine_pair of the second and the third equals a comparison of these two alone.
TEST_F(EnginePairs, AreWhatTwoEnginesAloneGive) {
  const std::vector<EngineToCompare> two = {engines_[1], engines_[2]};
  const Comparison alone = compare(two);
  const EngineDifference& expected = alone.differences.front();
  const std::vector<EngineDifference> engine_pairs = compare_engine_pairs(engines_, comparison_);
  const EngineDifference& engine_pair = engine_pairs[2];
  EXPECT_EQ(engine_pair.layers.delta, expected.layers.delta);
  EXPECT_EQ(engine_pair.layers.delta, -364'544'000'000);
  ASSERT_EQ(engine_pair.layers.pairs.size(), expected.layers.pairs.size());
  for (std::size_t i = 0; i < expected.layers.pairs.size(); ++i) {
    EXPECT_EQ(engine_pair.layers.pairs[i].a, expected.layers.pairs[i].a);
    EXPECT_EQ(engine_pair.layers.pairs[i].b, expected.layers.pairs[i].b);
    EXPECT_EQ(engine_pair.layers.pairs[i].changes, expected.layers.pairs[i].changes);
  }
  EXPECT_EQ(engine_pair.verdict.change_ratio, expected.verdict.change_ratio);
  EXPECT_EQ(engine_pair.verdict.low_ratio, expected.verdict.low_ratio);
}

TEST_F(EnginePairs, AreMirrored) {
  const std::vector<EngineDifference> engine_pairs = compare_engine_pairs(engines_, comparison_);
  const EngineDifference& forth = engine_pairs[2];
  const EngineDifference& back = engine_pairs[3];
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
