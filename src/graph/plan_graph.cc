#include "graph/plan_graph.h"

#include <algorithm>
#include <tuple>

#include "graph/execution_graph.h"
#include "graph/source_graph.h"

namespace planex::graph {
namespace {

// Where each node's edges start among all, sorted by node.
template <typename End>
void index_edges(const PlanGraph& graph, End end, std::vector<std::uint32_t>& edges,
                 std::vector<std::uint32_t>& firsts) {
  firsts.assign(graph.nodes.size() + 1, 0);
  for (const Edge& edge : graph.edges) ++firsts[end(edge).index() + 1];
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) firsts[i + 1] += firsts[i];
  edges.resize(graph.edges.size());
  std::vector<std::uint32_t> next(firsts.begin(), firsts.end() - 1);
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    edges[next[end(graph.edges[i]).index()]++] = static_cast<std::uint32_t>(i);
  }
}

void sort_edges(std::vector<Edge>& edges) {
  std::ranges::stable_sort(edges, {}, [](const Edge& edge) {
    return std::tuple(edge.to, edge.to_port, edge.from, edge.from_port, edge.kind, edge.tensor);
  });
}

}  // namespace

std::string_view to_string(View view) {
  switch (view) {
    case View::kExecution:
      return "execution";
    case View::kMemory:
      return "memory";
    case View::kSource:
      return "source";
  }
  return {};
}

std::string_view to_string(NodeKind kind) {
  switch (kind) {
    case NodeKind::kLayer:
      return "layer";
    case NodeKind::kConstant:
      return "constant";
    case NodeKind::kBinding:
      return "binding";
    case NodeKind::kMemory:
      return "memory";
    case NodeKind::kOperation:
      return "operation";
  }
  return {};
}

std::string_view to_string(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::kData:
      return "data";
    case EdgeKind::kCarried:
      return "carried";
    case EdgeKind::kReuse:
      return "reuse";
    case EdgeKind::kEvent:
      return "event";
    case EdgeKind::kControl:
      return "control";
    case EdgeKind::kOrder:
      return "order";
    case EdgeKind::kContracted:
      return "contracted";
  }
  return {};
}

Adjacency::Adjacency(const PlanGraph& graph) {
  index_edges(graph, [](const Edge& edge) { return edge.to; }, in_, first_in_);
  index_edges(graph, [](const Edge& edge) { return edge.from; }, out_, first_out_);
}

PlanGraph build_plan_graph(const model::PlanModel& model, const GraphOptions& options) {
  PlanGraph graph = options.view == View::kSource ? build_source_graph(model, options)
                                                  : build_execution_graph(model, options);
  sort_edges(graph.edges);
  return graph;
}

}  // namespace planex::graph
