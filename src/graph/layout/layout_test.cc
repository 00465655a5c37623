#include "graph/layout/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "graph/layout/invariants_test.h"

namespace planex::graph::layout {
namespace {

InputEdge edge(std::uint32_t from, std::uint32_t to) {
  return {.from = from, .to = to, .from_slot = 0, .label_width = 120, .label_height = 14};
}

Input boxes(std::size_t count) {
  Input input;
  input.boxes.assign(count, {.width = 292, .height = 32});
  return input;
}

Input chain(std::uint32_t count) {
  Input input = boxes(count);
  for (std::uint32_t i = 1; i < count; ++i) input.edges.push_back(edge(i - 1, i));
  return input;
}

TEST(Layout, OfNothingIsEmpty) {
  const Layout layout = lay_out({});
  EXPECT_EQ(layout.width, 0);
  EXPECT_EQ(layout.height, 0);
  EXPECT_EQ(layout.first_point.size(), 1U);
}

TEST(Layout, DrawsAChainAsOneLine) {
  const Input input = chain(5);
  const Layout layout = lay_out(input);
  EXPECT_EQ(broken_rules(input, layout), "");
  for (const Rect& box : layout.boxes) EXPECT_EQ(box.x, layout.boxes[0].x);
  for (std::size_t i = 0; i < input.edges.size(); ++i) EXPECT_EQ(layout.route(i).size(), 2U);
}

TEST(Layout, KeepsTheTrunkStraightBesideASkip) {
  Input input = chain(6);
  input.edges.push_back(edge(1, 4));
  const Layout layout = lay_out(input);
  EXPECT_EQ(broken_rules(input, layout), "");
  for (const Rect& box : layout.boxes) EXPECT_EQ(box.x, layout.boxes[0].x);
}

TEST(Layout, DrawsASkipAtTheSideBeyondTheLabels) {
  Input input = chain(6);
  input.edges.push_back(edge(1, 4));
  const Layout layout = lay_out(input);
  const auto route = layout.route(5);
  ASSERT_EQ(route.size(), 4U);
  EXPECT_EQ(route[0].x, layout.boxes[1].right());
  EXPECT_EQ(route[3].x, layout.boxes[4].right());
  EXPECT_GE(route[1].x, layout.labels[2].x + input.edges[2].label_width);
  EXPECT_GT(layout.labels[5].x, route[1].x);
}

TEST(Layout, DrawsALongSkipInALane) {
  Input input = chain(100);
  input.edges.push_back(edge(3, 90));
  const Layout layout = lay_out(input);
  EXPECT_EQ(broken_rules(input, layout), "");
  EXPECT_TRUE(layout.in_lane[99]);
  EXPECT_FALSE(layout.in_lane[3]);
}

TEST(Layout, LeadsBackEdgesUpBesideTheBoxes) {
  Input input = chain(4);
  input.edges.push_back(edge(3, 0));
  input.edges.push_back({.from = 2, .to = 1, .is_back = true});
  const Layout layout = lay_out(input);
  EXPECT_EQ(broken_rules(input, layout), "");
  for (const std::size_t back : {3U, 4U}) {
    EXPECT_TRUE(layout.in_lane[back]);
    EXPECT_GT(layout.route(back).front().y, layout.route(back).back().y);
  }
  EXPECT_EQ(layout.rank, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(Layout, BreaksACycleByTheOrderOfExecution) {
  Input input = boxes(3);
  input.edges = {edge(2, 0), edge(0, 1), edge(1, 2)};
  const Layout layout = lay_out(input);
  EXPECT_EQ(layout.rank, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(Layout, DrawsSelfLoopsAtTheSide) {
  Input input = chain(2);
  input.edges.push_back(edge(0, 0));
  input.edges.push_back(edge(0, 0));
  const Layout layout = lay_out(input);
  EXPECT_EQ(broken_rules(input, layout), "");
  EXPECT_EQ(layout.route(1).size(), 4U);
}

TEST(Layout, RunsTheTrunkStraightThroughFrames) {
  Input input = chain(12);
  input.edges.push_back(edge(2, 5));
  input.frames = {{.title_width = 16}, {.parent = 0, .title_width = 16}, {.title_width = 16}};
  for (std::uint32_t i = 0; i < 12; ++i) {
    input.boxes[i].frame = i < 2 ? kNone : i < 4 ? 0 : i < 6 ? 1 : i < 10 ? 2 : kNone;
  }
  const Layout layout = lay_out(input);
  EXPECT_EQ(broken_rules(input, layout), "");
  for (const Rect& box : layout.boxes) EXPECT_NEAR(box.x, layout.boxes[0].x, 1e-9);
  for (std::size_t i = 0; i < 11; ++i) EXPECT_EQ(layout.route(i).size(), 2U);
}

TEST(Layout, ReadsBoxesWithoutEdgesRowByRow) {
  const Input input = boxes(1000);
  const Layout layout = lay_out(input);
  EXPECT_EQ(broken_rules(input, layout), "");
  EXPECT_LT(layout.width, 3 * layout.height);
  EXPECT_LT(layout.height, 3 * layout.width);
  for (std::size_t i = 1; i < layout.boxes.size(); ++i) {
    const Rect& before = layout.boxes[i - 1];
    const Rect& box = layout.boxes[i];
    EXPECT_TRUE(box.y > before.y || (box.y == before.y && box.x > before.x));
  }
}

TEST(Layout, KeepsEndsInTheOrderOfSlotsWhereThatIsGiven) {
  Input input = boxes(5);
  for (std::uint32_t i = 0; i < 4; ++i) {
    InputEdge e = edge(i, 4);
    e.to_slot = 3 - i;
    input.edges.push_back(e);
  }
  input.options.ports = PortOrder::kGiven;
  const Layout layout = lay_out(input);
  EXPECT_EQ(broken_rules(input, layout), "");
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_LE(layout.route(i).back().x, layout.route(i - 1).back().x - 8);
  }
}

TEST(Layout, IgnoresWhatIsNotThere) {
  Input input = chain(2);
  input.edges.push_back(edge(0, 7));
  input.boxes[0].frame = 3;
  input.boxes[1].width = std::numeric_limits<double>::quiet_NaN();
  const Layout layout = lay_out(input);
  EXPECT_TRUE(layout.route(1).empty());
  EXPECT_EQ(layout.boxes[1].width, 0);
}

// --- Large graphs

TEST(LayoutOfMany, DrawsAChain) {
  const Input input = chain(100'000);
  const Layout layout = lay_out(input);
  EXPECT_EQ(broken_rules(input, layout), "");
  EXPECT_EQ(layout.boxes.back().x, layout.boxes.front().x);
}

TEST(LayoutOfMany, DrawsAWideRank) {
  Input input = boxes(50'002);
  for (std::uint32_t i = 1; i <= 50'000; ++i) {
    input.edges.push_back(edge(0, i));
    input.edges.push_back(edge(i, 50'001));
  }
  EXPECT_EQ(broken_rules(input, lay_out(input)), "");
}

TEST(LayoutOfMany, DrawsHubsThatEverythingReads) {
  Input input = chain(5'000);
  for (std::uint32_t i = 50; i < 5'000; ++i) {
    input.edges.push_back(edge(i % 7, i));
  }
  EXPECT_EQ(broken_rules(input, lay_out(input)), "");
}

TEST(LayoutOfMany, DrawsManyFrames) {
  Input input = chain(5'000);
  for (std::uint32_t i = 3; i < 5'000; i += 3) input.edges.push_back(edge(i - 3, i));
  for (std::uint32_t i = 0; i < 5'000; ++i) input.boxes[i].frame = i / 10;
  input.frames.assign(500, {.title_width = 16, .title_height = 80});
  const Layout layout = lay_out(input);
  EXPECT_EQ(broken_rules(input, layout), "");
  EXPECT_NEAR(layout.boxes.back().x, layout.boxes.front().x, 1e-6);
}

// The size of the drawing grows with the graph, however many ranks lines pass.
TEST(LayoutOfMany, GrowsLinearly) {
  const auto points = [](std::uint32_t count) {
    Input input = chain(count);
    std::mt19937_64 random(1);
    for (std::uint32_t i = 1; i < count; ++i) {
      input.edges.push_back(edge(static_cast<std::uint32_t>(random() % i), i));
    }
    return static_cast<double>(lay_out(input).points.size());
  };
  EXPECT_LT(points(4'000), 10 * points(500));
}

// --- Properties

Input random_graph(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t count) {
    return static_cast<std::uint32_t>(random() % std::max<std::uint64_t>(count, 1));
  };
  Input input;
  const std::uint32_t count = 1 + below(seed % 25 == 0 ? 200 : 30);
  const std::uint32_t frames = seed % 3 == 0 ? below(count / 3 + 1) : 0;
  for (std::uint32_t i = 0; i < frames; ++i) {
    input.frames.push_back({.parent = below(3) == 0 ? kNone : below(i + 1),
                            .title_width = static_cast<double>(below(20)),
                            .title_height = static_cast<double>(below(200))});
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool is_ordered = seed % 2 == 0;
    const std::uint32_t frame = is_ordered ? i * (frames + 1) / count : below(frames + 1);
    input.boxes.push_back({.width = 5.0 + below(400),
                           .height = 1.0 + below(60),
                           .frame = frame < frames && below(5) != 0 ? frame : kNone,
                           .weight = static_cast<double>(below(10))});
  }
  const std::uint32_t edges = below(count * (1 + seed % 4));
  const std::uint32_t reach = seed % 5 == 0 ? count : 1 + below(12);
  const std::uint32_t hub = below(count);
  for (std::uint32_t i = 0; i < edges; ++i) {
    InputEdge e;
    e.from = seed % 7 == 0 && below(2) == 0 ? hub : below(count);
    e.to = std::min(count - 1, e.from + below(reach + 1));
    if (e.to == e.from && below(4) != 0) e.to = std::min(count - 1, e.from + 1);
    if (seed % 4 == 1 && below(8) == 0) std::swap(e.from, e.to);
    e.is_back = seed % 4 == 1 && below(10) == 0;
    if (below(100) == 0) e.to = count + below(3);
    e.from_slot = below(3) == 0 ? kNone : below(3);
    e.to_slot = below(2) == 0 ? kNone : below(3);
    if (below(3) != 0) {
      e.label_width = 1.0 + below(200);
      e.label_height = 1.0 + below(40);
    }
    input.edges.push_back(e);
  }
  if (seed % 11 == 0) input.options.ports = PortOrder::kGiven;
  return input;
}

TEST(LayoutProperty, HoldsForRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Input input = random_graph(seed);
    const Layout layout = lay_out(input);
    ASSERT_EQ(broken_rules(input, layout), "") << "seed " << seed;
    ASSERT_EQ(hash_of(layout), hash_of(lay_out(input))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace planex::graph::layout
