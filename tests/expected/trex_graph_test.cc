// TREx's plan graph: its counts of nodes and edges for six sets of options, from ours.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "expected/trex_set.h"
#include "graph/plan_graph.h"

namespace planex::test {
namespace {

using graph::EdgeKind;
using graph::GraphOptions;
using graph::MemoryNodes;
using graph::Node;
using graph::NodeKind;
using graph::PlanGraph;
using model::Role;

class TrexGraph : public TrexSet {
 protected:
  static GraphOptions options_of(dom::element variant) {
    GraphOptions options;
    if (bool(variant["include_forking_regions"])) options.memory = MemoryNodes::kForking;
    if (bool(variant["include_regions"])) options.memory = MemoryNodes::kAll;
    options.constants = bool(variant["include_constants"]);
    return options;
  }

  // Constants that nobody writes are nodes only among all memory there.
  static bool is_node_there(const PlanGraph& graph, graph::NodeId id, const GraphOptions& options) {
    const Node& node = graph.nodes[id.index()];
    if (node.kind == NodeKind::kBinding) return !node.tensor.is_null();
    if (node.kind != NodeKind::kMemory || options.memory == MemoryNodes::kAll) return true;
    return std::ranges::any_of(graph.edges, [&](const graph::Edge& edge) { return edge.to == id; });
  }

  std::int64_t constants_not_drawn(const GraphOptions& options) const {
    if (options.constants) return 0;
    return std::ranges::count(layers().role.values(), Role::kConstant);
  }
};

TEST_P(TrexGraph, Counts) {
  for (const dom::element variant : dom::array(at("graph")["variants"])) {
    SCOPED_TRACE(text(variant["variant"]));
    const GraphOptions options = options_of(variant);
    const PlanGraph graph = build_plan_graph(*model_, options);
    std::int64_t layer_nodes = constants_not_drawn(options), memory_nodes = 0, edges = 0;
    std::vector<bool> is_there;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      is_there.push_back(is_node_there(graph, graph::NodeId(i), options));
      if (!is_there.back()) continue;
      const NodeKind kind = graph.nodes[i].kind;
      const bool is_layer = kind == NodeKind::kLayer || kind == NodeKind::kConstant;
      ++(is_layer ? layer_nodes : memory_nodes);
    }
    for (const graph::Edge& edge : graph.edges) {
      const bool is_tensor = edge.kind == EdgeKind::kData || edge.kind == EdgeKind::kReuse;
      if (is_tensor && is_there[edge.from.index()] && is_there[edge.to.index()]) ++edges;
    }
    EXPECT_EQ(layer_nodes, integer(variant["layer_nodes"]));
    EXPECT_EQ(memory_nodes, integer(variant["memory_nodes"]));
    EXPECT_EQ(edges, integer(variant["edges"]));
  }
}

INSTANTIATE_TEST_SUITE_P(All, TrexGraph, ::testing::ValuesIn(kReadableEngines), test_name);

}  // namespace
}  // namespace planex::test
