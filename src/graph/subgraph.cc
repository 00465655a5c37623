#include <algorithm>
#include <utility>

#include "graph/selection.h"

namespace planex::graph {
namespace {

enum class DetourWay : std::uint8_t { kDown, kUp };

// For each omitted node: a kept one that it leads to (kDown) or comes from (kUp), by the fewest
// steps. Edges that a loop carries back do not count as paths.
std::vector<NodeId> nearest_kept(const PlanGraph& graph, const Adjacency& adjacency,
                                 const std::vector<bool>& kept, DetourWay way) {
  std::vector<NodeId> nearest(graph.nodes.size());
  std::vector<NodeId> queue;
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    if (!kept[node]) continue;
    nearest[node] = NodeId(node);
    queue.emplace_back(node);
  }
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const NodeId node = queue[at];
    for (const std::uint32_t i :
         way == DetourWay::kDown ? adjacency.in(node) : adjacency.out(node)) {
      const Edge& edge = graph.edges[i];
      const NodeId next = way == DetourWay::kDown ? edge.from : edge.to;
      if (edge.kind == EdgeKind::kCarried || !nearest[next.index()].is_null()) continue;
      nearest[next.index()] = nearest[node.index()];
      queue.push_back(next);
    }
  }
  return nearest;
}

// One edge for each that leaves or enters the kept part, and one per pair of nodes.
void contract(const PlanGraph& graph, const std::vector<bool>& kept, std::vector<Edge>& edges) {
  const Adjacency adjacency(graph);
  const std::vector<NodeId> below = nearest_kept(graph, adjacency, kept, DetourWay::kDown);
  const std::vector<NodeId> above = nearest_kept(graph, adjacency, kept, DetourWay::kUp);
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (const Edge& edge : graph.edges) {
    if (kept[edge.from.index()] == kept[edge.to.index()] || edge.kind == EdgeKind::kCarried) {
      continue;
    }
    const NodeId from = above[edge.from.index()], to = below[edge.to.index()];
    if (!from.is_null() && !to.is_null() && from != to) pairs.emplace_back(from, to);
  }
  std::ranges::sort(pairs);
  const auto repeated = std::ranges::unique(pairs);
  pairs.erase(repeated.begin(), repeated.end());
  for (const auto& [from, to] : pairs) {
    edges.push_back({.from = from, .to = to, .kind = EdgeKind::kContracted});
  }
}

}  // namespace

PlanGraph subgraph(const PlanGraph& graph, const std::vector<bool>& kept, Contract contracts) {
  PlanGraph part;
  part.view = graph.view;
  part.node_of_layer.assign(graph.node_of_layer.size(), NodeId());
  std::vector<NodeId> moved(graph.nodes.size());
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    if (!kept[node]) continue;
    moved[node] = NodeId(part.nodes.size());
    part.nodes.push_back(graph.nodes[node]);
  }
  for (std::size_t layer = 0; layer < graph.node_of_layer.size(); ++layer) {
    const NodeId node = graph.node_of_layer[layer];
    if (!node.is_null()) part.node_of_layer[layer] = moved[node.index()];
  }
  for (const Edge& edge : graph.edges) {
    if (kept[edge.from.index()] && kept[edge.to.index()]) part.edges.push_back(edge);
  }
  if (contracts == Contract::kYes) contract(graph, kept, part.edges);
  for (Edge& edge : part.edges) {
    edge.from = moved[edge.from.index()];
    edge.to = moved[edge.to.index()];
  }
  // The others are already sorted; a contracted edge follows those of its target.
  std::ranges::stable_sort(part.edges, {}, &Edge::to);
  return part;
}

}  // namespace planex::graph
