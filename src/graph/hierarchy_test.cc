#include "graph/hierarchy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/collapse.h"
#include "graph/scopes.h"
#include "graph/test_engine.h"

namespace planex::graph {
namespace {

using model::PlanModel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ScopeOf, PathsOfExporters) {
  EXPECT_THAT(scope_of("/model/layer1/layer1.0/conv2/Conv + /x/y"),
              ElementsAre("model", "layer1", "0", "conv2"));
  EXPECT_THAT(scope_of("layer1.0.conv2.weight + QuantizeLinear_3"),
              ElementsAre("layer1", "0", "conv2"));
  EXPECT_THAT(scope_of("bert/encoder/layer_0/MatMul"), ElementsAre("bert", "encoder", "layer_0"));
  EXPECT_THAT(scope_of("Reformatting CopyNode for Input Tensor 0 to features.3.conv"),
              ElementsAre("features", "3"));
  for (const char* name : {"", "Conv_0", "onnx::Conv_12", "torch.nn.conv", "/Conv", "a..b", "//",
                           "0.weight", "(Unnamed Layer* 2) [Constant]_output"}) {
    EXPECT_THAT(scope_of(name), IsEmpty()) << name;
  }
}

TEST(ScopeOf, LongNamesAreCut) {
  const std::string name = std::string(1000, ' ') + "/a/b/c";
  EXPECT_THAT(scope_of(name), IsEmpty());
}

struct Drawn {
  PlanModel model;
  PlanGraph graph;
  GroupTree tree;

  explicit Drawn(PlanModel built, const GraphOptions& options = {})
      : model(std::move(built)),
        graph(build_plan_graph(model, options)),
        tree(build_groups(model, graph)) {}

  std::vector<std::string> paths() const {
    std::vector<std::string> result;
    for (const Group& group : tree.groups) result.push_back(group.path);
    return result;
  }
  // What is visible, by name.
  std::vector<std::string> seen(const FoldRequest& request) const {
    std::vector<std::string> names;
    for (const Box& box : collapse(graph, tree, folded_groups(tree, graph, request)).boxes) {
      names.emplace_back(box.node.is_null() ? tree.groups[box.group.index()].path
                                            : node_name(model, graph.nodes[box.node.index()]));
    }
    return names;
  }
};

// `turns` times: norm, attention of three, MLP; the slow one takes ten times as long.
PlanModel transformer(int turns, int slow) {
  TestEngine engine;
  std::string last = "x";
  for (int turn = 0; turn < turns; ++turn) {
    const std::string scope = "/layers." + std::to_string(turn);
    for (const char* operation :
         {"/norm/Norm", "/attn/MatMul", "/attn/Softmax", "/attn/Sum", "/mlp/Gelu"}) {
      const std::string next = scope + operation + "_out";
      engine.add(scope + operation, {last}, {next},
                 {.type = operation, .ms = turn == slow ? 10.0 : 1.0});
      last = next;
    }
  }
  engine.add("head", {last}, {"y"}, {.ms = 0.5});
  return engine.finish({"x", "y"});
}

TEST(Groups, LayersOfATransformerAreASeries) {
  const Drawn drawn(transformer(4, 2));
  ASSERT_FALSE(drawn.tree.groups.empty());
  const Group& series = drawn.tree.groups.front();
  EXPECT_EQ(series.kind, GroupKind::kSeries);
  EXPECT_EQ(series.name, "layers.0 … layers.3");
  EXPECT_EQ(series.path, "layers.0 … layers.3");
  ASSERT_EQ(series.groups.size(), 4U);
  EXPECT_EQ(series.instance_min_ms, 5.0);
  EXPECT_EQ(series.instance_median_ms, 5.0);
  EXPECT_EQ(series.instance_max_ms, 50.0);
  ASSERT_EQ(series.outliers.size(), 1U);
  EXPECT_EQ(drawn.tree.groups[series.outliers.front().index()].name, "layers.2");
  const GroupId attention = find_group(drawn.tree, "layers.0 … layers.3/layers.1/attn");
  ASSERT_FALSE(attention.is_null());
  EXPECT_EQ(drawn.tree.groups[attention.index()].node_count, 3U);
  EXPECT_EQ(find_group(drawn.tree, "layers.1"), series.groups[1]);
  EXPECT_TRUE(find_group(drawn.tree, "attn").is_null()) << "four are called so";
}

TEST(Groups, TheHottestLayerStaysInSight) {
  const Drawn drawn(transformer(40, 7));
  const auto seen = drawn.seen({.max_boxes = 60});
  EXPECT_LE(seen.size(), 60U);
  EXPECT_THAT(seen, ::testing::Contains("/layers.7/norm/Norm"));
}

TEST(Groups, DepthOpenAndFolded) {
  const Drawn drawn(transformer(4, 2));
  EXPECT_THAT(drawn.seen({.depth = 1}), ElementsAre("x", "layers.0 … layers.3", "head", "y"));
  EXPECT_EQ(drawn.seen({.depth = 0}).size(), drawn.graph.nodes.size());
  EXPECT_EQ(drawn.seen({.depth = 2}).size(), 3U + 4U);
  const NodeId norm = drawn.graph.node_of_layer[0];
  EXPECT_EQ(drawn.seen({.depth = 1, .shown = {norm}}).size(), 3U + 3U + 3U)
      << "attn is folded still";
  const GroupId series(0);
  EXPECT_EQ(drawn.seen({.depth = 0, .folded = {series}}).size(), 4U);
  EXPECT_EQ(drawn.seen({.depth = 1, .open = {series}}).size(), 3U + 4U);
}

TEST(Groups, RepetitionWithoutNames) {
  TestEngine engine;
  for (int i = 0; i < 50; ++i) {
    engine.add("n" + std::to_string(i), {"t" + std::to_string(i)}, {"t" + std::to_string(i + 1)},
               {.type = "T" + std::to_string(i % 5)});
  }
  const Drawn drawn(engine.finish({"t0", "t50"}));
  ASSERT_EQ(drawn.tree.roots.size(), 1U);
  const Group& series = drawn.tree.groups.front();
  EXPECT_EQ(series.name, "10 × 5 nodes");
  EXPECT_EQ(series.groups.size(), 10U);
  EXPECT_THAT(series.outliers, IsEmpty());
}

TEST(Groups, BlocksOfTheEngineAreGroups) {
  TestEngine engine;
  engine.add("a", {"x"}, {"t"});
  const model::BlockId loop = engine.builder.add_block("myloop", "loop");
  const model::BlockId branch = engine.builder.add_block("then", "branch", loop);
  engine.add("b", {"t"}, {"u"}, {.block = loop});
  engine.add("c", {"u"}, {"v"}, {.block = branch});
  engine.add("d", {"v"}, {"y"});
  const Drawn drawn(engine.finish({"x", "y"}));
  EXPECT_THAT(drawn.paths(), ElementsAre("myloop", "myloop/then"));
  EXPECT_EQ(drawn.tree.groups[0].kind, GroupKind::kLoop);
  EXPECT_EQ(drawn.tree.groups[1].kind, GroupKind::kBranch);
}

TEST(Groups, ReformatsBelongToWhatTheyPrepare) {
  TestEngine engine;
  const auto reformat = engine.add("Copy", {"x"}, {"t"}, {.type = "Reformat"});
  engine.builder.model().layers.family.set(reformat.index(), model::Family::kReformat);
  engine.add("/layer1/conv1/Conv", {"t"}, {"u"});
  engine.add("add", {"u"}, {"v"});
  engine.add("/layer1/conv2/Conv", {"v"}, {"w"});
  engine.add("/layer2/conv1/Conv", {"w"}, {"o"});
  engine.add("/layer2/conv2/Conv", {"o"}, {"p"});
  engine.add("/layer2/conv3/Conv", {"p"}, {"y"});
  const Drawn drawn(engine.finish({"x", "y"}));
  EXPECT_THAT(drawn.paths(), ElementsAre("layer1", "layer2"));
  EXPECT_EQ(drawn.tree.groups[0].node_count, 4U);
}

TEST(Groups, AScopeInPiecesAmongOthersIsNone) {
  TestEngine engine;
  int next = 0;
  const auto add = [&](const std::string& name) {
    engine.add(name, {"t" + std::to_string(next)}, {"t" + std::to_string(next + 1)});
    ++next;
  };
  for (int layer = 1; layer < 4; ++layer) {
    const std::string scope = std::string("/block_") + "abcd"[layer];
    for (int i = 0; i < 3; ++i) {
      add("/wq/Quantize");
      add(scope + "/conv/Conv");
    }
  }
  const Drawn drawn(engine.finish());
  EXPECT_THAT(drawn.paths(), ElementsAre("block_b.conv", "block_c.conv", "block_d.conv"));
}

TEST(Groups, AFlatGraphIsParted) {
  TestEngine engine;
  // No two stretches are alike.
  for (int i = 0; i < 5000; ++i) {
    engine.add("n", {"t" + std::to_string(i)}, {"t" + std::to_string(i + 1)},
               {.type = "T" + std::to_string(i)});
  }
  const Drawn drawn(engine.finish({"t0", "t5000"}));
  EXPECT_LE(drawn.seen({.depth = 1}).size(), 100U);
  EXPECT_LE(drawn.seen({.max_boxes = 300}).size(), 300U);
  EXPECT_EQ(drawn.tree.groups.front().kind, GroupKind::kSection);
}

TEST(Groups, OperationsOfOneLayerAreItsGroup) {
  TestEngine engine;
  for (int i = 0; i < 2; ++i) {
    const std::string number = std::to_string(i);
    const auto layer =
        engine.add("fused" + number, {"t" + number}, {"t" + std::to_string(i + 1)}, {.ms = 2.0});
    engine.builder.add_source(layer, "conv" + number, "Conv", model::Evidence::kMetadata);
    engine.builder.add_source(layer, "relu" + number, "Relu", model::Evidence::kMetadata);
  }
  const Drawn drawn(engine.finish({"t0", "t2"}), {.view = View::kSource});
  EXPECT_THAT(drawn.paths(), ElementsAre("fused0", "fused1"));
  EXPECT_EQ(drawn.tree.groups[0].kind, GroupKind::kLayer);
  EXPECT_EQ(drawn.tree.groups[0].layer_count, 1U);
  EXPECT_EQ(drawn.tree.groups[0].median_ms, 2.0);
}

TEST(Collapse, EdgesOfOneTensorBetweenTwoBoxesAreOne) {
  TestEngine engine;
  engine.add("source", {"x"}, {"t"});
  engine.add("/layer1/a/Conv", {"t"}, {"u"});
  engine.add("/layer1/b/Conv", {"t"}, {"v"});
  engine.add("/layer1/c/Relu", {"v"}, {"w"});
  engine.add("join", {"u", "w"}, {"y"});
  const Drawn drawn(engine.finish({"x", "y"}));
  ASSERT_THAT(drawn.paths(), ElementsAre("layer1"));
  const BoxGraph folded = collapse(drawn.graph, drawn.tree, {true});
  ASSERT_EQ(folded.boxes.size(), 5U);
  EXPECT_EQ(folded.boxes[2].group, GroupId(0));
  EXPECT_THAT(folded.frames, IsEmpty());
  ASSERT_EQ(folded.edges.size(), 5U) << "two tensors lead to join";
  EXPECT_EQ(folded.edges[1].count, 2U);
  const BoxGraph open = collapse(drawn.graph, drawn.tree, {false});
  ASSERT_EQ(open.frames.size(), 1U);
  EXPECT_EQ(open.boxes[2].frame, 0U);
  EXPECT_EQ(open.boxes[1].frame, kNoRow);
}

TEST(Collapse, ManyTensorsToAFoldedGroupAreOneEdge) {
  TestEngine engine;
  std::vector<std::string> tensors;
  for (std::size_t i = 0; i <= layout::kMaxParallelEdges; ++i)
    tensors.push_back("t" + std::to_string(i));
  engine.add("source", {}, tensors);
  engine.add("beside", {}, {});
  for (const std::string& tensor : tensors) engine.add("/layer1/" + tensor + "/Conv", {tensor}, {});
  const Drawn drawn(engine.finish());
  ASSERT_THAT(drawn.paths(), ElementsAre("layer1"));
  const BoxGraph folded = collapse(drawn.graph, drawn.tree, {true});
  ASSERT_EQ(folded.edges.size(), 1U);
  EXPECT_EQ(folded.edges[0].count, tensors.size());
  EXPECT_EQ(collapse(drawn.graph, drawn.tree, {false}).edges.size(), tensors.size());
}

}  // namespace
}  // namespace planex::graph
