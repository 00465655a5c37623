#include "analyze/explain/memory_packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace planex::analyze {
namespace {

bool share_a_frame(const PackedLife& a, const PackedLife& b) {
  return a.first <= b.last && b.first <= a.last;
}

// No two that share a frame share a byte.
void expect_no_overlap(const std::vector<PackedLife>& lives, const Packing& packing) {
  for (std::size_t i = 0; i < lives.size(); ++i) {
    for (std::size_t k = i + 1; k < lives.size(); ++k) {
      const auto &a = packing.offset_bytes[i], &b = packing.offset_bytes[k];
      if (!a || !b || !share_a_frame(lives[i], lives[k])) continue;
      EXPECT_TRUE(*a + lives[i].bytes <= *b || *b + lives[k].bytes <= *a) << i << " and " << k;
    }
  }
}

std::int64_t max_live(const std::vector<PackedLife>& lives, std::size_t frame_count) {
  std::int64_t most = 0;
  for (std::size_t frame = 0; frame < frame_count; ++frame) {
    std::int64_t live = 0;
    for (const PackedLife& life : lives) {
      if (life.first <= frame && frame <= life.last) live += life.bytes;
    }
    most = std::max(most, live);
  }
  return most;
}

// The residual of 50 is at the bottom for its whole life; a and c are never live together, and take
// the same place above it.
//   frame     0   1   2   3
//   residual  50  50  50  50
//   a         20  20
//   c                 20  20
//   b             10  10
TEST(MemoryPacking, PutsTheGreatestAtTheBottomAndReusesWhatIsFree) {
  const std::vector<PackedLife> lives = {{0, 1, 20}, {0, 3, 50}, {1, 2, 10}, {2, 3, 20}};
  const Packing packing = pack_by_size(lives, 4);
  EXPECT_EQ(packing.offset_bytes[1], 0);
  EXPECT_EQ(packing.offset_bytes[0], 50);
  EXPECT_EQ(packing.offset_bytes[3], 50);
  EXPECT_EQ(packing.offset_bytes[2], 70);
  EXPECT_EQ(packing.height_bytes, 80);
}

TEST(MemoryPacking, TakesTheLowestGapThatFits) {
  // Of the four in frame 0, 40, 30 and 20 stack up. The 30 ends, and 25 fits into its place.
  const std::vector<PackedLife> lives = {{0, 2, 40}, {0, 0, 30}, {0, 2, 20}, {1, 2, 25}, {2, 2, 6}};
  const Packing packing = pack_by_size(lives, 3);
  EXPECT_EQ(packing.offset_bytes[1], 40);
  EXPECT_EQ(packing.offset_bytes[3], 40);  // before the 20, since it is greater
  EXPECT_EQ(packing.offset_bytes[2], 70);  // above both 30 and 25
  EXPECT_EQ(packing.offset_bytes[4], 90);  // 5 are free below, and it needs 6
  expect_no_overlap(lives, packing);
}

TEST(MemoryPacking, NeverOverlapsAndIsNearTheLeast) {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 60; ++round) {
    const std::size_t frames = 1 + below(40);
    std::vector<PackedLife> lives;
    for (std::size_t i = 0; i < 1 + below(80); ++i) {
      const std::size_t first = below(static_cast<std::uint32_t>(frames));
      const std::size_t last = std::min(frames - 1, first + below(6));
      lives.push_back({first, last, 1 + static_cast<std::int64_t>(below(1000))});
    }
    const Packing packing = pack_by_size(lives, frames);
    expect_no_overlap(lives, packing);
    const std::int64_t most = max_live(lives, frames);
    EXPECT_GE(packing.height_bytes, most);
    EXPECT_LE(packing.height_bytes, 2 * most);
    for (std::size_t i = 0; i < lives.size(); ++i) EXPECT_TRUE(packing.offset_bytes[i]);
  }
}

TEST(MemoryPacking, LeavesTheSmallestOutWhereItWouldTakeTooLong) {
  std::vector<PackedLife> lives;
  for (std::int64_t i = 0; i < 1000; ++i) lives.push_back({0, 9, 1 + i});
  const Packing packing = pack_by_size(lives, 10, 5000);
  expect_no_overlap(lives, packing);
  const auto placed = std::ranges::count_if(packing.offset_bytes,
                                            [](const auto& offset) { return offset.has_value(); });
  EXPECT_GT(placed, 50);
  EXPECT_LT(placed, 200);
  for (std::size_t i = 0; i < lives.size(); ++i) {
    EXPECT_EQ(packing.offset_bytes[i].has_value(),
              i >= lives.size() - static_cast<std::size_t>(placed));
  }
}

TEST(MemoryPacking, OfNothingIsNothing) {
  EXPECT_EQ(pack_by_size({}, 0).height_bytes, 0);
  EXPECT_EQ(pack_by_size({}, 5).height_bytes, 0);
}

}  // namespace
}  // namespace planex::analyze
