#include "graph/plan_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/test_engine.h"

namespace planex::graph {
namespace {

using model::PlanModel;
using model::Role;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(PlanGraph, BindingsStandAtBothEnds) {
  TestEngine engine;
  engine.add("a", {"x"}, {"t"});
  engine.add("b", {"t"}, {"y"});
  const PlanModel model = engine.finish({"y", "x"});
  const PlanGraph graph = build_plan_graph(model, {});
  EXPECT_THAT(names_of(model, graph), ElementsAre("x", "a", "b", "y"));
  EXPECT_THAT(edges_of(model, graph), ElementsAre("x -> a", "a -> b", "b -> y"));
  EXPECT_EQ(graph.edges[1].from_port, 1U);
  EXPECT_EQ(graph.edges[1].to_port, 2U);
}

TEST(PlanGraph, AnInputThatIsAnOutputIsBoth) {
  TestEngine engine;
  engine.add("a", {"x"}, {"t"});
  engine.builder.add_binding("x", model::Direction::kInput);
  engine.builder.add_binding("x", model::Direction::kOutput);
  const PlanModel model = engine.finish();
  EXPECT_THAT(edges_of(model, build_plan_graph(model, {})), ElementsAre("x -> a", "x -> x"));
}

TEST(PlanGraph, ANoOpThatJoinsLosesNoProducer) {
  TestEngine engine;
  engine.add("a", {"x"}, {"t1"});
  engine.add("b", {"x"}, {"t2"});
  engine.no_op("concat", {"t1", "t2"}, {"c"});
  engine.add("r", {"c"}, {"y"});
  engine.add("s", {"c"}, {"z"});
  const PlanModel model = engine.finish({"x", "y", "z"});
  EXPECT_THAT(edges_of(model, build_plan_graph(model, {})),
              UnorderedElementsAre("x -> a", "x -> b", "a -> r", "b -> r", "a -> s", "b -> s",
                                   "r -> y", "s -> z"));
  EXPECT_THAT(edges_of(model, build_plan_graph(model, {.fold_no_ops = false})),
              UnorderedElementsAre("x -> a", "x -> b", "a -> concat", "b -> concat", "concat -> r",
                                   "concat -> s", "r -> y", "s -> z"));
}

TEST(PlanGraph, ABindingThatANoOpFillsComesFromThoseBeforeIt) {
  TestEngine engine;
  engine.add("a", {"x"}, {"t1"});
  engine.add("b", {"x"}, {"t2"});
  engine.no_op("first", {"t1"}, {"y"});
  engine.no_op("second", {"t1", "t2"}, {"z"});
  const PlanModel model = engine.finish({"x", "y", "z"});
  const PlanGraph graph = build_plan_graph(model, {});
  EXPECT_THAT(edges_of(model, graph),
              UnorderedElementsAre("x -> a", "x -> b", "a -> y", "y -> z", "b -> z"));
}

TEST(PlanGraph, ANoOpMayWriteAPartOfWhatLayersWrite) {
  TestEngine engine;
  engine.add("a", {"x"}, {"c"});
  engine.add("b", {"x"}, {"t"});
  engine.no_op("copy", {"t"}, {"c"});
  engine.add("r", {"c"}, {"y"});
  const PlanModel model = engine.finish({"x", "y"});
  EXPECT_THAT(edges_of(model, build_plan_graph(model, {})),
              UnorderedElementsAre("x -> a", "x -> b", "a -> r", "b -> r", "r -> y"));
}

TEST(PlanGraph, WhatANoOpPassedOnIsForgottenWhenItIsWrittenAgain) {
  TestEngine engine;
  engine.add("a", {"x"}, {"t"});
  engine.no_op("copy", {"t"}, {"c"});
  engine.add("r", {"c"}, {"u"});
  engine.add("again", {"u"}, {"c"});
  engine.add("s", {"c"}, {"y"});
  const PlanModel model = engine.finish({"x", "y"});
  EXPECT_THAT(edges_of(model, build_plan_graph(model, {})),
              ::testing::Not(::testing::Contains("a -> s")));
}

TEST(PlanGraph, ANoOpThatJoinsManyForManyStays) {
  TestEngine engine;
  std::vector<std::string> parts;
  for (int i = 0; i < 200; ++i) {
    parts.push_back("t" + std::to_string(i));
    engine.add("w" + std::to_string(i), {"x"}, {parts.back()});
  }
  engine.no_op("concat", parts, {"c"});
  for (int i = 0; i < 200; ++i) {
    engine.add("r" + std::to_string(i), {"c"}, {"o" + std::to_string(i)});
  }
  const PlanModel model = engine.finish({"x"});
  EXPECT_EQ(edges_of(model, build_plan_graph(model, {})).size(), 600U);
}

TEST(PlanGraph, ManyNoOpsThatWriteOneTensorLoseNoProducer) {
  TestEngine engine;
  for (int i = 0; i < 200; ++i) {
    const std::string part = "t" + std::to_string(i);
    engine.add("w" + std::to_string(i), {"x"}, {part});
    engine.no_op("copy", {part}, {"c"});
  }
  engine.add("r", {"c"}, {"y"});
  const PlanModel model = engine.finish({"x", "y"});
  const PlanGraph graph = build_plan_graph(model, {});
  std::vector<bool> reaches(graph.nodes.size(), false);
  const Adjacency adjacency(graph);
  for (std::size_t node = reaches.size(); node-- > 0;) {
    reaches[node] = node_name(model, graph.nodes[node]) == "y";
    for (const std::uint32_t edge : adjacency.out(NodeId(node))) {
      if (reaches[graph.edges[edge].to.index()]) reaches[node] = true;
    }
    EXPECT_TRUE(reaches[node]) << node_name(model, graph.nodes[node]);
  }
}

TEST(PlanGraph, ManyWritersOfManyReadersMeetInMemory) {
  TestEngine engine;
  for (int i = 0; i < 200; ++i) engine.add("w" + std::to_string(i), {}, {"t"});
  for (int i = 0; i < 200; ++i) engine.add("r" + std::to_string(i), {"t"}, {});
  const PlanModel model = engine.finish();
  const PlanGraph graph = build_plan_graph(model, {});
  EXPECT_EQ(graph.nodes.size(), 401U);
  EXPECT_EQ(graph.edges.size(), 400U);
}

TEST(PlanGraph, MemoryThatIsWrittenAgainHasGenerations) {
  TestEngine engine;
  engine.add("a", {"x"}, {"t"});
  engine.add("b", {"t"}, {"u"});
  engine.add("c", {"u"}, {"t"});
  engine.add("d", {"t"}, {"y"});
  const PlanModel model = engine.finish({"x", "y"});
  const PlanGraph graph = build_plan_graph(model, {});
  EXPECT_THAT(names_of(model, graph), ElementsAre("x", "a", "t", "b", "c", "t", "d", "y"));
  EXPECT_EQ(graph.nodes[5].generation, 1U);
  EXPECT_EQ(graph.nodes[5].generations, 2U);
  EXPECT_THAT(edges_of(model, graph, EdgeKind::kReuse), ElementsAre("t -> t"));
  EXPECT_EQ(build_plan_graph(model, {.view = View::kMemory}).nodes.size(), 9U);
}

TEST(PlanGraph, ConstantsAreShownWhenAskedFor) {
  TestEngine engine;
  engine.add("k", {}, {"w"}, {.type = "Constant", .role = Role::kConstant});
  engine.add("a", {"x", "w", "inner"}, {"y"});
  const PlanModel model = engine.finish({"x", "y"});
  EXPECT_THAT(edges_of(model, build_plan_graph(model, {})), ElementsAre("x -> a", "a -> y"));
  const PlanGraph graph = build_plan_graph(model, {.constants = true});
  EXPECT_THAT(edges_of(model, graph), ElementsAre("x -> a", "k -> a", "inner -> a", "a -> y"));
}

TEST(PlanGraph, AnEventLeadsFromTheLayerBeforeTheSignalToTheOneAfterTheWait) {
  TestEngine engine;
  engine.add("a", {"x"}, {"t"});
  const auto signal = engine.add("signal", {}, {}, {.role = Role::kSignal});
  engine.add("b", {"x"}, {"u"}, {.stream = 1});
  const auto wait = engine.add("wait", {}, {}, {.role = Role::kWait, .stream = 1});
  engine.add("c", {"u"}, {"y"}, {.stream = 1});
  engine.builder.add_event(signal, "signal", 7);
  engine.builder.add_event(wait, "wait", 7);
  const PlanModel model = engine.finish({"x", "y"});
  EXPECT_THAT(edges_of(model, build_plan_graph(model, {}), EdgeKind::kEvent),
              ElementsAre("a -> c"));
  EXPECT_THAT(edges_of(model, build_plan_graph(model, {.bookkeeping = true}), EdgeKind::kEvent),
              ElementsAre("signal -> wait"));
}

TEST(PlanGraph, AConditionLeadsToItsBranches) {
  TestEngine engine;
  engine.add("test", {"x"}, {"flag"});
  const auto jump = engine.add("jump", {"flag"}, {}, {.role = Role::kControl});
  const auto yes = engine.add("yes", {"x"}, {"y"});
  const auto no = engine.add("no", {"x"}, {"y"});
  engine.builder.add_event(jump, "jump-then", std::nullopt, yes);
  engine.builder.add_event(jump, "jump-else", std::nullopt, no);
  const PlanModel model = engine.finish({"x", "y"});
  EXPECT_THAT(edges_of(model, build_plan_graph(model, {}), EdgeKind::kControl),
              ElementsAre("test -> yes", "test -> no"));
}

TEST(PlanGraph, WhatALoopReadsBeforeItWritesIsCarried) {
  TestEngine engine;
  engine.add("start", {"x"}, {"state"});
  const model::BlockId loop = engine.builder.add_block("loop", "loop");
  const auto first = engine.add("turn", {"state"}, {"next"}, {.block = loop});
  engine.add("update", {"next"}, {"state"}, {.block = loop});
  const auto jump = engine.add("again", {}, {}, {.role = Role::kControl, .block = loop});
  engine.add("after", {"state"}, {"y"});
  engine.builder.add_event(jump, "jump", std::nullopt, first);
  const PlanModel model = engine.finish({"x", "y"});
  const PlanGraph graph = build_plan_graph(model, {});
  EXPECT_THAT(edges_of(model, graph, EdgeKind::kCarried), ElementsAre("state -> turn"));
  EXPECT_THAT(edges_of(model, graph, EdgeKind::kControl), ElementsAre("update -> turn"));
}

TEST(PlanGraph, ATrainStationStandsBetweenItsNeighbours) {
  TestEngine engine;
  engine.add("a", {"x"}, {"t"});
  engine.add("station", {}, {}, {.type = "TrainStation"});
  engine.add("b", {"t"}, {"y"});
  const PlanModel model = engine.finish({"x", "y"});
  EXPECT_THAT(edges_of(model, build_plan_graph(model, {}), EdgeKind::kOrder),
              ElementsAre("a -> station", "station -> b"));
}

TEST(PlanGraph, OperationsAreNodesOfTheSourceView) {
  TestEngine engine;
  const auto layer = engine.add("conv + relu", {"x"}, {"y"});
  engine.builder.add_source(layer, "conv", "Conv", model::Evidence::kMetadata);
  engine.builder.add_source(layer, "relu", "Relu", model::Evidence::kMetadata);
  model::ModelBuilder& builder = engine.builder;
  const auto conv = builder.add_operation({.name = "conv", .type = "Conv"});
  builder.add_operation_port(conv, model::Direction::kInput, {.tensor = "x"});
  builder.add_operation_port(conv, model::Direction::kInput, {.tensor = "weights"});
  builder.add_operation_port(conv, model::Direction::kOutput, {.tensor = "t"});
  const auto relu = builder.add_operation({.name = "relu", .type = "Relu"});
  builder.add_operation_port(relu, model::Direction::kInput, {.tensor = "t"});
  builder.add_operation_port(relu, model::Direction::kOutput, {.tensor = "y"});
  const PlanModel model = engine.finish({"x", "y"});
  const PlanGraph graph = build_plan_graph(model, {.view = View::kSource});
  EXPECT_THAT(names_of(model, graph), ElementsAre("x", "conv", "relu", "y"));
  EXPECT_THAT(edges_of(model, graph), ElementsAre("x -> conv", "conv -> relu", "relu -> y"));
}

TEST(PlanGraph, SourcesStandInForOperations) {
  TestEngine engine;
  const auto layer = engine.add("conv + relu", {"x"}, {"t"});
  engine.builder.add_source(layer, "conv", "Conv", model::Evidence::kName);
  engine.builder.add_source(layer, "relu", "Relu", model::Evidence::kName);
  engine.add("reformat", {"t"}, {"y"});
  const PlanModel model = engine.finish({"x", "y"});
  const PlanGraph graph = build_plan_graph(model, {.view = View::kSource});
  EXPECT_THAT(edges_of(model, graph),
              ElementsAre("x -> conv", "conv -> relu", "relu -> reformat", "reformat -> y"));
}

TEST(PlanGraph, AnEngineWithoutRecordsIsEmpty) {
  TestEngine engine;
  const PlanModel model = engine.finish();
  for (const View view : {View::kExecution, View::kMemory, View::kSource}) {
    const PlanGraph graph = build_plan_graph(model, {.view = view});
    EXPECT_THAT(graph.nodes, IsEmpty());
    EXPECT_THAT(graph.edges, IsEmpty());
  }
}

}  // namespace
}  // namespace planex::graph
