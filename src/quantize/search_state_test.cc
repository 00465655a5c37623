#include "quantize/search_state.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace planex::quantize {
namespace {

std::string head() { return "planex.search-state/1 " + std::string(64, 'a') + "\n"; }

TEST(SearchState, ComesBackBitForBit) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  SearchState state{.key = std::string(64, '7'), .measured = {}};
  state.measured["keep 3 17 on 12"] = {.sqnr_db = 0.1 + 0.2, .top1_count = 9, .row_count = 12};
  state.measured["all"] = {.sqnr_db = -1e-17};
  state.measured["equal"] = {.sqnr_db = kInfinity};
  state.measured["broken"] = {.sqnr_db = -kInfinity};
  const std::string text = write_search_state(state);
  const auto again = parse_search_state(text);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->key, state.key);
  ASSERT_EQ(again->measured.size(), 4);
  for (const auto& [what, score] : state.measured) {
    const Score& other = again->measured.at(what);
    EXPECT_EQ(other.sqnr_db, score.sqnr_db) << what;
    EXPECT_EQ(other.top1_count, score.top1_count);
    EXPECT_EQ(other.row_count, score.row_count);
  }
  EXPECT_EQ(write_search_state(*again), text);
}

TEST(SearchState, RefusesWhatIsNone) {
  for (const std::string& text :
       {std::string(), std::string("{}"),
        std::string("planex.search-state/2 ") + std::string(64, 'a'),
        std::string("planex.search-state/1 abc\n"), head() + "20 1 1\n", head() + "x 1 1 all\n",
        head() + "nan 1 1 all\n", head() + "20 2 1 all\n", head() + "20 -1 1 all\n",
        head() + "\n"}) {
    const auto state = parse_search_state(text);
    ASSERT_FALSE(state.has_value()) << text;
    EXPECT_EQ(state.error().code, ErrorCode::kBadInput);
    EXPECT_FALSE(state.error().hint.empty());
  }
  EXPECT_TRUE(parse_search_state(head()).has_value());
}

}  // namespace
}  // namespace planex::quantize
