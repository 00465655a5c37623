#include "analyze/align/sequences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace planex::analyze::matching {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Items = std::vector<std::uint64_t>;

TEST(LongestAscending, LeavesOutWhatCrosses) {
  EXPECT_THAT(longest_ascending({}), IsEmpty());
  const std::vector<Step> pairs = {{0, 5}, {1, 0}, {2, 1}, {3, 4}, {4, 2}, {5, 3}};
  EXPECT_THAT(longest_ascending(pairs),
              ElementsAre(Step(1, 0), Step(2, 1), Step(4, 2), Step(5, 3)));
}

TEST(CommonUnique, PairsWhatIsOnceInBoth) {
  EXPECT_THAT(common_unique(Items{7, 1, 7, 2, 4, 3}, Items{1, 3, 7, 2, 4}),
              ElementsAre(Step(1, 0), Step(3, 3), Step(4, 4)));
}

TEST(CommonByCount, PairsTheFirstWithTheFirst) {
  EXPECT_THAT(common_by_count(Items{7, 7, 2, 1}, Items{7, 1, 7, 7, 2}),
              ElementsAre(Step(0, 0), Step(1, 2), Step(2, 4)));
}

TEST(LongestCommon, FindsTheMostPairs) {
  EXPECT_THAT(longest_common(Items{}, Items{}, 9).value(), IsEmpty());
  EXPECT_THAT(longest_common(Items{1}, Items{}, 9).value(), IsEmpty());
  EXPECT_THAT(longest_common(Items{1, 2, 3}, Items{2, 9, 3}, 9).value(),
              ElementsAre(Step(1, 0), Step(2, 2)));
  // Three have no partner: two of the first, one of the second.
  EXPECT_FALSE(longest_common(Items{1, 2, 3, 4}, Items{2, 9, 4}, 2));
  EXPECT_TRUE(longest_common(Items{1, 2, 3, 4}, Items{2, 9, 4}, 3));
}

std::size_t longest_by_table(const Items& a, const Items& b) {
  std::vector<std::vector<std::size_t>> most(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t x = a.size(); x-- > 0;) {
    for (std::size_t y = b.size(); y-- > 0;) {
      most[x][y] = a[x] == b[y] ? most[x + 1][y + 1] + 1 : std::max(most[x + 1][y], most[x][y + 1]);
    }
  }
  return most[0][0];
}

TEST(LongestCommon, IsAsLongAsTheWholeTableSays) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 500; ++round) {
    const auto items = [&random] {
      Items made(random() % 24);
      for (std::uint64_t& item : made) item = random() % 5;
      return made;
    };
    const Items a = items(), b = items();
    const std::vector<Step> steps = longest_common(a, b, 100).value();
    EXPECT_EQ(steps.size(), longest_by_table(a, b));
    for (std::size_t at = 0; at < steps.size(); ++at) {
      EXPECT_EQ(a[steps[at].first], b[steps[at].second]);
      if (at == 0) continue;
      EXPECT_LT(steps[at - 1].first, steps[at].first);
      EXPECT_LT(steps[at - 1].second, steps[at].second);
    }
  }
}

}  // namespace
}  // namespace planex::analyze::matching
