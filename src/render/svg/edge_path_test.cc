#include "render/svg/edge_path.h"

#include <gtest/gtest.h>

#include <vector>

namespace planex::render {
namespace {

using graph::layout::Point;

TEST(EdgePath, StraightLineEndsInsideItsHead) {
  const std::vector<Point> route = {{10, 0}, {10, 40}};
  const EdgePath path = edge_path(route, 2);
  EXPECT_EQ(path.line, "M10 0L10 33");
  EXPECT_EQ(path.head, "M10 40L6 32L14 32z");
}

TEST(EdgePath, CornersAreArcsTheRightWayRound) {
  // Right, then down: a right turn where y grows downwards.
  const std::vector<Point> down = {{0, 0}, {40, 0}, {40, 60}};
  EXPECT_EQ(edge_path(down, 2).line, "M0 0L34 0A6 6 0 0 1 40 6L40 53");
  const std::vector<Point> up = {{0, 60}, {40, 60}, {40, 0}};
  EXPECT_EQ(edge_path(up, 2).line, "M0 60L34 60A6 6 0 0 0 40 54L40 7");
}

TEST(EdgePath, CornersLeaveRoomForOneAnother) {
  const std::vector<Point> step = {{0, 0}, {0, 20}, {4, 20}, {4, 40}};
  EXPECT_EQ(edge_path(step, 2).line, "M0 0L0 18A2 2 0 0 0 2 20L2 20A2 2 0 0 1 4 22L4 33");
}

TEST(EdgePath, PointsThatSayNothingAreLeftOut) {
  const std::vector<Point> route = {{0, 0}, {0, 10}, {0, 10}, {0, 30}, {0, 60}};
  EXPECT_EQ(edge_path(route, 2).line, "M0 0L0 53");
  EXPECT_EQ(edge_path(std::vector<Point>{{1, 1}, {1, 1}}, 2).line, "");
  EXPECT_EQ(edge_path({}, 2).line, "");
}

TEST(EdgePath, ShortEdgesAreAllHead) {
  const std::vector<Point> route = {{0, 0}, {0, 4}};
  const EdgePath path = edge_path(route, 2);
  EXPECT_EQ(path.head, "M0 4L-4 0L4 0z");
}

}  // namespace
}  // namespace planex::render
