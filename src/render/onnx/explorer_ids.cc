#include "render/onnx/explorer_ids.h"

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "base/utf8.h"

namespace planex::render {
namespace {

using onnx::Graph;
using onnx::GraphKind;
using onnx::Index;
using onnx::Model;
using onnx::Node;

constexpr std::string_view kUnnamedNode = "node";
constexpr std::string_view kUnnamedGraph = "<main>";

class Ids {
 public:
  explicit Ids(const Model& model)
      : model_(model), ids_(model.nodes.size()), subgraphs_(model.nodes.size()) {
    for (Index graph = 0; graph < model.graphs.size(); ++graph) {
      if (model.graphs[graph].kind == GraphKind::kSubgraph) {
        subgraphs_[model.graphs[graph].node].push_back(graph);
      }
    }
  }

  std::vector<ExplorerId> all() {
    for (Index graph = 0; graph < model_.graphs.size(); ++graph) {
      // A subgraph is walked from the graph that contains it.
      if (model_.graphs[graph].kind == GraphKind::kSubgraph) continue;
      counts_.clear();
      walk(graph);
    }
    return std::move(ids_);
  }

 private:
  // One graph on the path of the walk.
  struct Scope {
    std::string graph;   // its id
    std::string prefix;  // of the ids of its nodes
    Index next = 0, end = 0;
    std::unordered_set<std::string> used;
  };

  Scope scope_of(Index index, std::string graph, std::string prefix) const {
    const Graph& of = model_.graphs[index];
    return {.graph = std::move(graph),
            .prefix = std::move(prefix),
            .next = of.nodes.first,
            .end = of.nodes.first + of.nodes.count};
  }

  // Depth first, as the names are numbered.
  void walk(Index root) {
    std::vector<Scope> scopes;
    scopes.push_back(scope_of(root, graph_name(root), ""));
    std::vector<Index> waiting;  // subgraphs, the next one last
    std::vector<std::size_t> depth_of_waiting;
    while (!scopes.empty()) {
      if (!waiting.empty() && depth_of_waiting.back() == scopes.size()) {
        const Index graph = waiting.back();
        waiting.pop_back();
        depth_of_waiting.pop_back();
        scopes.push_back(inner_scope(graph));
        continue;
      }
      Scope& scope = scopes.back();
      if (scope.next == scope.end) {
        scopes.pop_back();
        continue;
      }
      const Index node = scope.next++;
      ids_[node] = {scope.graph, scope.prefix + unique(model_.nodes[node].name, scope)};
      for (auto graph = subgraphs_[node].rbegin(); graph != subgraphs_[node].rend(); ++graph) {
        waiting.push_back(*graph);
        depth_of_waiting.push_back(scopes.size());
      }
    }
  }

  Scope inner_scope(Index graph) const {
    const Graph& of = model_.graphs[graph];
    const Node& holder = model_.nodes[of.node];
    const ExplorerId& id = ids_[of.node];
    std::string path = base::format("{}/{}", id.node, base::valid_utf8(of.attribute));
    if (holder.op_type == "If" && holder.domain.empty()) {
      return scope_of(graph, id.graph, path + "/");
    }
    return scope_of(graph, std::move(path), "");
  }

  std::string graph_name(Index index) const {
    const Graph& graph = model_.graphs[index];
    if (graph.kind != GraphKind::kFunction) {
      // A name that is present but empty is a name.
      const bool is_told = graph.name.data() != nullptr;
      return is_told ? base::valid_utf8(graph.name) : std::string(kUnnamedGraph);
    }
    const onnx::Function& function = model_.functions[graph.function];
    std::string name = base::format("[function]{}::{}", base::valid_utf8(function.domain),
                                    base::valid_utf8(function.name));
    if (!function.overload.empty()) name += "::" + base::valid_utf8(function.overload);
    return name;
  }

  std::string unique(std::string_view name, Scope& scope) {
    const std::string wanted = base::valid_utf8(name.empty() ? kUnnamedNode : name);
    std::string candidate = wanted;
    std::size_t& count = counts_[wanted];
    while (!scope.used.insert(candidate).second) {
      candidate = base::format("{}_{}", wanted, ++count);
    }
    return candidate;
  }

  const Model& model_;
  std::vector<ExplorerId> ids_;
  std::vector<std::vector<Index>> subgraphs_;  // by node
  std::unordered_map<std::string, std::size_t> counts_;
};

}  // namespace

std::vector<ExplorerId> explorer_ids(const Model& model) { return Ids(model).all(); }

}  // namespace planex::render
