// Properties of graphs of every engine: random records, tensors, roles, names and blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "graph/collapse.h"
#include "graph/hierarchy.h"
#include "graph/test_engine.h"

namespace planex::graph {
namespace {

using model::PlanModel;
using model::Role;

class RandomEngine {
 public:
  explicit RandomEngine(unsigned seed) : random_(seed) {}

  PlanModel make() {
    const int records = pick(120), tensors = 1 + pick(80);
    model::BlockId block;
    for (int i = 0; i < records; ++i) {
      if (pick(20) == 0) {
        const char* kinds[] = {"loop", "conditional", "branch", "opaque", "other"};
        block =
            engine_.builder.add_block("b", kinds[pick(5)], pick(2) == 0 ? block : model::BlockId());
      } else if (pick(20) == 0) {
        block = {};
      }
      add_record(i, tensors, block);
    }
    std::vector<std::string> bindings;
    for (int i = pick(5); i > 0; --i) bindings.push_back(tensor(tensors));
    return engine_.finish(bindings);
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  std::string tensor(int count) { return "t" + std::to_string(pick(count)); }

  std::string name(int i) {
    switch (pick(4)) {
      case 0:
        return "/layers." + std::to_string(i / 8) + "/attn/MatMul_" + std::to_string(i);
      case 1:
        return "layer" + std::to_string(pick(3)) + "." + std::to_string(pick(3)) + ".conv.weight";
      case 2:
        return "";
      default:
        return "n" + std::to_string(i);
    }
  }

  void add_record(int i, int tensors, model::BlockId block) {
    constexpr Role kRoles[] = {Role::kNoOp,   Role::kConstant, Role::kInput, Role::kOutput,
                               Role::kSignal, Role::kWait,     Role::kShape, Role::kControl};
    std::vector<std::string> inputs, outputs;
    for (int k = pick(4); k > 0; --k) inputs.push_back(tensor(tensors));
    for (int k = pick(3); k > 0; --k) outputs.push_back(tensor(tensors));
    TestRecord facts{.type = "T" + std::to_string(pick(3)), .block = block};
    facts.role = pick(3) == 0 ? kRoles[pick(8)] : Role::kWork;
    facts.stream = pick(3);
    if (pick(2) == 0) facts.ms = pick(100) * 0.01;
    const auto layer = engine_.add(name(i), inputs, outputs, facts);
    if (facts.role == Role::kSignal) engine_.builder.add_event(layer, "signal", pick(4));
    if (facts.role == Role::kWait) engine_.builder.add_event(layer, "wait", pick(4));
    if (facts.role == Role::kControl) {
      const char* kinds[] = {"jump", "jump-then", "jump-else"};
      engine_.builder.add_event(layer, kinds[pick(3)], std::nullopt,
                                model::LayerId(static_cast<std::size_t>(pick(i + 1))));
    }
    for (int k = pick(3); k > 0; --k) {
      engine_.builder.add_source(layer, "/s/op" + std::to_string(pick(50)), "Op",
                                 model::Evidence::kName);
    }
  }

  std::mt19937 random_;
  TestEngine engine_;
};

void expect_sound(const PlanModel& model, const PlanGraph& graph) {
  EXPECT_EQ(graph.node_of_layer.size(), model.layers.row_count());
  for (std::size_t layer = 0; layer < graph.node_of_layer.size(); ++layer) {
    const NodeId node = graph.node_of_layer[layer];
    if (node.is_null()) continue;
    EXPECT_EQ(graph.nodes[node.index()].layer, model::LayerId(layer));
  }
  const auto key = [](const Edge& edge) { return std::tuple(edge.to, edge.to_port); };
  EXPECT_TRUE(std::ranges::is_sorted(graph.edges, {}, key));
  for (const Edge& edge : graph.edges) {
    ASSERT_LT(edge.from.index(), graph.nodes.size());
    ASSERT_LT(edge.to.index(), graph.nodes.size());
    for (const auto& [port, end] :
         {std::pair(edge.from_port, edge.from), {edge.to_port, edge.to}}) {
      if (port == kNoRow) continue;
      EXPECT_EQ(model.ports.layer_id[port], graph.nodes[end.index()].layer);
    }
  }
}

void expect_nested(const PlanGraph& graph, const GroupTree& tree) {
  ASSERT_EQ(tree.group_of_node.size(), graph.nodes.size());
  std::set<std::string> paths;
  std::vector<std::size_t> counted(tree.groups.size(), 0);
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    for (GroupId at = tree.group_of_node[node]; !at.is_null();
         at = tree.groups[at.index()].parent) {
      ++counted[at.index()];
      EXPECT_LE(tree.groups[at.index()].first, NodeId(node));
      EXPECT_GE(tree.groups[at.index()].last, NodeId(node));
    }
  }
  for (std::size_t i = 0; i < tree.groups.size(); ++i) {
    const Group& group = tree.groups[i];
    EXPECT_EQ(group.node_count, counted[i]);
    EXPECT_EQ(group.node_count, group.last.index() - group.first.index() + 1);
    EXPECT_FALSE(group.name.empty());
    EXPECT_TRUE(paths.insert(group.path).second) << group.path;
    EXPECT_EQ(find_group(tree, group.path), GroupId(i));
    EXPECT_TRUE(group.parent.is_null() || group.parent < GroupId(i));
  }
}

void expect_consistent(const PlanGraph& graph, const GroupTree& tree, const FoldRequest& request) {
  const std::vector<bool> folded = folded_groups(tree, graph, request);
  const BoxGraph seen = collapse(graph, tree, folded);
  ASSERT_EQ(seen.box_of_node.size(), graph.nodes.size());
  std::size_t edge_count = 0, inner = 0;
  for (const BoxEdge& edge : seen.edges) {
    EXPECT_NE(edge.from, edge.to);
    EXPECT_EQ(seen.box_of_node[graph.edges[edge.edge].from.index()], edge.from);
    EXPECT_EQ(seen.box_of_node[graph.edges[edge.edge].to.index()], edge.to);
    edge_count += edge.count;
  }
  for (const Edge& edge : graph.edges) {
    if (seen.box_of_node[edge.from.index()] == seen.box_of_node[edge.to.index()]) ++inner;
  }
  EXPECT_EQ(edge_count + inner, graph.edges.size());
  for (const NodeId node : request.shown) {
    EXPECT_EQ(seen.boxes[seen.box_of_node[node.index()]].node, node);
  }
}

void expect_closed(const PlanGraph& graph, std::mt19937& random) {
  std::vector<bool> kept(graph.nodes.size());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = random() % 3 == 0;
  const PlanGraph part = subgraph(graph, kept, Contract::kYes);
  EXPECT_EQ(part.nodes.size(), static_cast<std::size_t>(std::ranges::count(kept, true)));
  EXPECT_LE(part.edges.size(), graph.edges.size());
  for (const Edge& edge : part.edges) {
    ASSERT_LT(edge.from.index(), part.nodes.size());
    ASSERT_LT(edge.to.index(), part.nodes.size());
  }
}

TEST(GraphProperties, HoldForRandomEngines) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const PlanModel model = RandomEngine(seed).make();
    std::mt19937 random(seed);
    GraphOptions options{.view = View(seed % 3),
                         .memory = MemoryNodes(seed / 3 % 3),
                         .constants = seed % 5 == 0,
                         .fold_no_ops = seed % 4 != 0,
                         .bookkeeping = seed % 7 == 0};
    const PlanGraph graph = build_plan_graph(model, options);
    if (options.view != View::kSource) expect_sound(model, graph);
    const GroupTree tree = build_groups(model, graph);
    expect_nested(graph, tree);
    FoldRequest request{.max_boxes = random() % 50};
    if (seed % 2 == 0) request.depth = random() % 3;
    if (!graph.nodes.empty()) request.shown = {NodeId(random() % graph.nodes.size())};
    expect_consistent(graph, tree, request);
    expect_closed(graph, random);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace planex::graph
