#include "graph/layout/tracks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace planex::graph::layout {
namespace {

Piece piece(double from, double to) {
  return {.from = from, .low = std::min(from, to), .high = std::max(from, to)};
}

TEST(Tracks, SharesOneAmongPiecesThatAreApart) {
  std::vector<Piece> pieces = {piece(0, 10), piece(30, 40), piece(100, 60)};
  EXPECT_EQ(Tracks().assign(pieces, 5), 1U);
}

TEST(Tracks, CrossesNoneThatNeedNotCross) {
  // Lines that lead right side by side: the one that starts farther right is above.
  std::vector<Piece> right = {piece(0, 100), piece(10, 110)};
  EXPECT_EQ(Tracks().assign(right, 5), 2U);
  EXPECT_GT(right[0].track, right[1].track);
  std::vector<Piece> left = {piece(100, 0), piece(110, 10)};
  EXPECT_EQ(Tracks().assign(left, 5), 2U);
  EXPECT_LT(left[0].track, left[1].track);
}

TEST(Tracks, NeverPutsTwoPiecesOnOneAnother) {
  std::mt19937_64 random(1);
  Tracks tracks;
  for (int round = 0; round < 300; ++round) {
    std::vector<Piece> pieces(2 + random() % 60);
    for (Piece& p : pieces) {
      p = piece(static_cast<double>(random() % 300), static_cast<double>(random() % 300));
    }
    const Index count = tracks.assign(pieces, 4);
    for (std::size_t a = 0; a < pieces.size(); ++a) {
      ASSERT_LT(pieces[a].track, count);
      for (std::size_t b = 0; b < a; ++b) {
        if (pieces[a].track != pieces[b].track) continue;
        ASSERT_TRUE(pieces[a].high + 4 <= pieces[b].low || pieces[b].high + 4 <= pieces[a].low);
      }
    }
  }
}

}  // namespace
}  // namespace planex::graph::layout
