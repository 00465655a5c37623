#include "graph/layout/crossings.h"

#include <gtest/gtest.h>

#include <random>

namespace planex::graph::layout {
namespace {

TEST(Accumulator, CountsGreaterOnes) {
  std::mt19937_64 random(1);
  Accumulator tree;
  tree.reset(50);
  std::vector<std::size_t> values;
  for (int i = 0; i < 500; ++i) {
    const std::size_t value = random() % 50;
    std::uint64_t greater = 0;
    for (const std::size_t other : values) greater += other > value ? 1U : 0U;
    ASSERT_EQ(tree.greater_than(value), greater);
    tree.add(value);
    values.push_back(value);
  }
}

// Two rows of boxes with random links between them.
TEST(Crossings, AreThoseOfEveryPair) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    Graph graph;
    const auto width = static_cast<Index>(2 + random() % 12);
    graph.nodes.resize(2 * width);
    for (Index node = 0; node < graph.nodes.size(); ++node) graph.ports.push_back({.node = node});
    for (Index from = 0; from < width; ++from) {
      graph.links.push_back({.from_port = from, .to_port = width + from});
      for (std::size_t more = random() % 4; more > 0; --more) {
        const auto to = static_cast<Index>(width + random() % width);
        graph.links.push_back({.from_port = from, .to_port = to});
      }
    }
    const Options options;
    Part part{.graph = graph, .options = options};
    assign_ranks(part);
    build_rows(part);
    order_rows(part);
    ASSERT_EQ(part.row_count, 2U);

    std::uint64_t pairs = 0;
    for (const Segment& a : part.segments) {
      for (const Segment& b : part.segments) {
        pairs += part.position[a.upper] < part.position[b.upper] &&
                         part.position[a.lower] > part.position[b.lower]
                     ? 1U
                     : 0U;
      }
    }
    EXPECT_EQ(Crossings(part).below(0), pairs);
  }
}

}  // namespace
}  // namespace planex::graph::layout
