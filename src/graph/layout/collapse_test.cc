#include "graph/layout/collapse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace planex::graph::layout {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// 0 to 5 in a row, and 1 -> 4 past the middle. The outer group contains 1 to 4, the inner one 2 and
// 3.
Foldable nested() {
  return {.group_of_node = {kNone, 0, 1, 1, 0, kNone},
          .parents = {kNone, 0},
          .is_folded = {false, false},
          .edges = {{0, 1}, {1, 2}, {2, 3}, {1, 4}, {3, 4}, {4, 5}}};
}

TEST(FoldedGraph, HasAFrameForEachOpenGroup) {
  const Folded seen = collapse(nested());
  EXPECT_THAT(seen.boxes, SizeIs(6));
  ASSERT_THAT(seen.frames, SizeIs(2));
  EXPECT_EQ(seen.frames[1].parent, 0U);
  EXPECT_EQ(seen.boxes[1].frame, 0U);
  EXPECT_EQ(seen.boxes[2].frame, 1U);
  EXPECT_EQ(seen.boxes[5].frame, kNone);
}

TEST(FoldedGraph, ShowsTheOutermostFoldedGroup) {
  for (const bool inner : {false, true}) {
    Foldable graph = nested();
    graph.is_folded = {true, inner};
    const Folded seen = collapse(graph);
    ASSERT_THAT(seen.boxes, SizeIs(3));
    EXPECT_EQ(seen.boxes[1].node, kNone);
    EXPECT_EQ(seen.boxes[1].group, 0U);
    EXPECT_THAT(seen.frames, IsEmpty());
    EXPECT_THAT(seen.box_of_node, ElementsAre(0, 1, 1, 1, 1, 2));
  }
}

TEST(FoldedGraph, LeavesOutWhatIsHidden) {
  Foldable graph = nested();
  graph.is_hidden = {false, false, true, true, false, false};
  const Folded seen = collapse(graph);
  EXPECT_THAT(seen.box_of_node, ElementsAre(0, 1, kNone, kNone, 2, 3));
  EXPECT_THAT(seen.edges, SizeIs(3));
  EXPECT_THAT(seen.frames, SizeIs(1)) << "nothing is seen of the inner group";
}

TEST(FoldedGraph, HasNoEdgesToItselfAndNoneToNowhere) {
  const Folded seen = collapse(
      {.group_of_node = {kNone, kNone}, .edges = {{0, 0}, {0, kNone}, {kNone, 1}, {0, 1}}});
  ASSERT_THAT(seen.edges, SizeIs(1));
  EXPECT_EQ(seen.edges[0].edge, 3U);
}

TEST(FoldedGraph, IsOfAnyDepth) {
  constexpr std::uint32_t kDepth = 20'000;
  Foldable graph{.group_of_node = {kDepth - 1, kDepth - 1},
                 .is_folded = std::vector<bool>(kDepth),
                 .edges = {{0, 1}}};
  for (std::uint32_t group = 0; group < kDepth; ++group) {
    graph.parents.push_back(group == 0 ? kNone : group - 1);
  }
  const Folded seen = collapse(graph);
  ASSERT_THAT(seen.frames, SizeIs(kDepth));
  EXPECT_EQ(seen.frames.back().parent, kDepth - 2);
}

}  // namespace
}  // namespace planex::graph::layout
