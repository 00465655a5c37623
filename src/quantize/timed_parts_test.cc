#include "quantize/timed_parts.h"

#include <gmock/gmock.h>

#include "quantize/test_graph.h"

namespace planex::quantize {
namespace {

using testing::ElementsAre;
using testing::Optional;

// Two convolutions with an activation between them, and a sum that reads the first again.
TestGraph float_graph() {
  TestGraph graph;
  graph.input("x");
  graph.conv("x", "one");
  graph.node("HardSwish", {"one"}, "active", "activation");
  graph.conv("active", "two");
  graph.node("Add", {"two", "active"}, "sum", "add");
  graph.output("sum");
  return graph;
}

Placement placement() {
  return {.tensors = {{.name = "x", .readers = {{.node = 0}}},
                      {.name = "active", .readers = {{.node = 2}, {.node = 3, .input = 1}}}},
          .layers = {0, 2}};
}

// The same with Q/DQ.
TestGraph quantized_graph() {
  TestGraph graph;
  graph.input("x");
  graph.weight("scale", {});
  graph.weight("zero", {}, 3);
  graph.pair("x");
  graph.small_conv("x.f", "one");
  graph.node("HardSwish", {"one"}, "active", "activation");
  graph.pair("active");
  graph.small_conv("active.f", "two");
  graph.node("Add", {"two", "active.f"}, "sum", "add");
  graph.output("sum");
  return graph;
}

TEST(TimedParts, WhatIsNoLayerGoesWithTheLastOneBeforeIt) {
  const ReadModel read(float_graph().bytes());
  const ModelParts parts = parts_of(read.model, read.links, placement());
  EXPECT_THAT(parts.of_node, ElementsAre(0, 0, 1, 1));
  ASSERT_EQ(parts.tensors.size(), 1U) << "the input is of one part alone";
  EXPECT_THAT(parts.tensors.front().parts, ElementsAre(0, 1));
  EXPECT_THAT(parts.maker_of, ElementsAre(Optional(0U)));
}

TEST(TimedParts, QuantizersStandForWhoMakesTheirTensor) {
  const ReadModel read(float_graph().bytes()), quantized(quantized_graph().bytes());
  const FloatNodes nodes(quantized.model, quantized.links, read.model, read.links);
  EXPECT_EQ(nodes.find("two"), 2U);
  EXPECT_EQ(nodes.find("active.Q"), 1U);
  EXPECT_EQ(nodes.find("active.DQ"), 1U);
  EXPECT_EQ(nodes.find("x.Q"), 0U) << "nobody makes an input";
  EXPECT_EQ(nodes.find("x.DQ"), 0U);
  EXPECT_EQ(nodes.find("two.weight.DQ"), 2U);
  EXPECT_EQ(nodes.find("unknown"), onnx::kNoIndex);
}

TEST(TimedParts, ALayerCountsForThePartsThatItIsMadeFrom) {
  const ReadModel read(float_graph().bytes()), quantized(quantized_graph().bytes());
  const ModelParts parts = parts_of(read.model, read.links, placement());
  const FloatNodes nodes(quantized.model, quantized.links, read.model, read.links);
  MeasuredEngine engine;
  engine.layers = {
      {.nodes = {"x.Q"}, .time_ms = 0.5, .is_conversion = true},
      {.nodes = {"one", "activation", "active.Q"}, .time_ms = 2, .written_bytes = 40},
      // Lists the activation, too, but is made from the second alone.
      {.nodes = {"activation", "two"}, .time_ms = 5, .least_ms = 3, .written_bytes = 8},
      {.nodes = {"add"}, .time_ms = 1, .written_bytes = 10},
      {.nodes = {"elsewhere"}, .time_ms = 7}};
  const PartTimes times = part_times(engine, parts, nodes);
  EXPECT_THAT(times.ms, ElementsAre(Optional(2.5), Optional(4.0)));
  EXPECT_THAT(times.written_bytes, ElementsAre(40, 10));
  engine.layers = {{.nodes = {"one", "two"}, .time_ms = 6}, {.nodes = {"add"}}};
  EXPECT_THAT(part_times(engine, parts, nodes).ms, ElementsAre(Optional(3.0), Optional(3.0)));
  engine.layers = {{.nodes = {"add"}, .time_ms = 1}};
  EXPECT_THAT(part_times(engine, parts, nodes).ms, ElementsAre(std::nullopt, Optional(1.0)));
}

}  // namespace
}  // namespace planex::quantize
