#include "render/html/graph_data.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/hierarchy.h"
#include "graph/plan_graph.h"
#include "graph/selection.h"
#include "render/html/columns.h"
#include "render/words/layer_words.h"
#include "render/words/short_names.h"

namespace planex::render {
namespace {

using graph::Edge;
using graph::Group;
using graph::GroupTree;
using graph::Node;
using graph::NodeKind;
using graph::PlanGraph;
using graph::View;
using model::PlanModel;

constexpr std::int64_t kNoIndex = -1;

// The words of an enumeration in its order; a column of kinds has indices into them.
template <typename Kind>
void write_kinds(JsonWriter& json, std::string_view key, Kind last) {
  json.key(key).begin_array();
  for (int kind = 0; kind <= static_cast<int>(last); ++kind) {
    json.value(to_string(static_cast<Kind>(kind)));
  }
  json.end_array();
}

constexpr std::int64_t kNeverUsual = -2;

template <typename Id>
std::int64_t index_or_none(Id id) {
  return id.is_null() ? kNoIndex : static_cast<std::int64_t>(id.index());
}

std::int64_t row_or_none(std::uint32_t row) {
  return row == graph::kNoRow ? kNoIndex : static_cast<std::int64_t>(row);
}

std::string_view operation_type(const PlanModel& model, const Node& node) {
  if (!node.operation.is_null()) return model.text(model.operations.type[node.operation.index()]);
  if (node.source != graph::kNoRow) return model.text(model.sources.op_type[node.source]);
  return {};
}

// What is written about each layer, computed once for all views.
struct LayerFacts {
  const LayerWords& words;
  std::vector<std::string> parameters;
  std::vector<bool> adds;

  LayerFacts(const PlanModel& model, const LayerWords& layer_words) : words(layer_words) {
    for (std::uint32_t row = 0; row < model.layers.row_count(); ++row) {
      parameters.push_back(words.parameters(model::LayerId{row}));
      adds.push_back(words.adds(model::LayerId{row}));
    }
  }
};

class ViewWriter {
 public:
  ViewWriter(JsonWriter& json, const PlanModel& model, const LayerFacts& layers,
             const GraphOfView& view, StringTable& strings)
      : json_(json),
        model_(model),
        layers_(layers),
        graph_(view.graph),
        strings_(strings),
        tree_(view.tree),
        folded_(view.folded) {}

  void write() {
    json_.begin_object();
    write_nodes();
    write_edges();
    write_groups();
    json_.end_object();
  }

 private:
  std::int64_t text(std::string_view text) {
    return text.empty() ? kNoIndex : static_cast<std::int64_t>(strings_.index_of(text));
  }

  void write_nodes() {
    json_.key("nodes").begin_object();
    const auto column = [&](std::string_view name, std::int64_t usual, const auto& value) {
      write_column(json_, name, graph_.nodes, usual, value);
    };
    column("kind", kNeverUsual, [](const Node& n) { return static_cast<std::int64_t>(n.kind); });
    column("layer_id", kNoIndex, [&](const Node& n) {
      return n.kind == NodeKind::kOperation ? kNoIndex : index_or_none(n.layer);
    });
    // Layers have their names in their own table.
    column("name", kNoIndex, [&](const Node& n) {
      const bool is_layer = n.kind == NodeKind::kLayer || n.kind == NodeKind::kConstant;
      return is_layer ? kNoIndex : text(graph::node_name(model_, n));
    });
    column("type", kNoIndex, [&](const Node& n) { return text(operation_type(model_, n)); });
    column("generation", 0, [](const Node& n) { return std::int64_t{n.generation}; });
    column("generations", 1, [](const Node& n) { return std::int64_t{n.generations}; });
    column("is_output", 0, [](const Node& n) {
      return std::int64_t{n.direction == model::Direction::kOutput ? 1 : 0};
    });
    write_column(json_, "group", tree_.group_of_node, kNoIndex,
                 [](graph::GroupId group) { return index_or_none(group); });
    json_.end_object();
  }

  void write_edges() {
    json_.key("edges").begin_object();
    const auto column = [&](std::string_view name, std::int64_t usual, const auto& value) {
      write_column(json_, name, graph_.edges, usual, value);
    };
    column("kind", kNeverUsual, [](const Edge& e) { return static_cast<std::int64_t>(e.kind); });
    column("from", kNeverUsual, [](const Edge& e) { return index_or_none(e.from); });
    column("to", kNeverUsual, [](const Edge& e) { return index_or_none(e.to); });
    // Rows of `ports`; those of source operations are not in the report.
    if (graph_.view != View::kSource) {
      column("from_port", kNoIndex, [](const Edge& e) { return row_or_none(e.from_port); });
      column("to_port", kNoIndex, [](const Edge& e) { return row_or_none(e.to_port); });
    }
    column("adds", 0, [&](const Edge& e) { return std::int64_t{adds(e) ? 1 : 0}; });
    json_.end_object();
  }

  // Whether the layer that reads it adds it to something.
  bool adds(const Edge& edge) const {
    const Node& to = graph_.nodes[edge.to.index()];
    return to.kind == NodeKind::kLayer && edge.kind == graph::EdgeKind::kData &&
           layers_.adds[to.layer.index()] && layers_.words.is_added(to.layer, edge.to_port);
  }

  void write_groups() {
    json_.key("groups").begin_object();
    const auto column = [&](std::string_view name, std::int64_t usual, const auto& value) {
      write_column(json_, name, tree_.groups, usual, value);
    };
    column("kind", kNeverUsual, [](const Group& g) { return static_cast<std::int64_t>(g.kind); });
    column("parent", kNoIndex, [](const Group& g) { return index_or_none(g.parent); });
    column("name", kNoIndex, [&](const Group& g) { return named(g.name); });
    column("path", kNoIndex, [&](const Group& g) { return named(g.path); });
    column("first", kNeverUsual, [](const Group& g) { return index_or_none(g.first); });
    column("last", kNeverUsual, [](const Group& g) { return index_or_none(g.last); });
    column("node_count", 0, [](const Group& g) { return static_cast<std::int64_t>(g.node_count); });
    column("shape", 0, [](const Group& g) { return std::int64_t{g.shape}; });
    write_flags("odd", odd_groups());
    write_flags("folded", folded_);
    json_.end_object();
  }

  // Not as text(): a group without a name has the empty one.
  std::int64_t named(const std::string& text) {
    return static_cast<std::int64_t>(strings_.index_of(text));
  }

  std::vector<bool> odd_groups() const {
    std::vector<bool> odd(tree_.groups.size());
    for (const Group& group : tree_.groups) {
      for (const graph::GroupId turn : group.outliers) odd[turn.index()] = true;
    }
    return odd;
  }

  void write_flags(std::string_view name, const std::vector<bool>& flags) {
    write_column(json_, name, flags, 0, [](bool flag) { return std::int64_t{flag ? 1 : 0}; });
  }

  JsonWriter& json_;
  const PlanModel& model_;
  const LayerFacts& layers_;
  const PlanGraph& graph_;
  StringTable& strings_;
  const GroupTree& tree_;
  const std::vector<bool>& folded_;
};

// Texts of the layers, one per row of their table.
void write_layer_texts(JsonWriter& json, std::string_view name,
                       const std::vector<std::string>& texts, StringTable& strings) {
  write_column(json, name, texts, kNoIndex, [&](const std::string& text) {
    return text.empty() ? kNoIndex : static_cast<std::int64_t>(strings.index_of_copy(text));
  });
}

}  // namespace

std::vector<GraphOfView> graphs_of_views(const PlanModel& model) {
  std::vector<GraphOfView> views;
  for (const View view : {View::kExecution, View::kMemory, View::kSource}) {
    // Constants are in the data, and the page hides them, so showing them needs no other graph.
    PlanGraph graph = graph::build_plan_graph(model, {.view = view, .constants = true});
    // Boxes without a line between them are a list, and the page has a better list.
    if (graph.edges.empty()) continue;
    GroupTree tree = graph::build_groups(model, graph);
    std::vector<bool> folded = graph::folded_groups(tree, graph, {});
    views.push_back({std::move(graph), std::move(tree), std::move(folded)});
  }
  return views;
}

void write_graph_member(JsonWriter& json, const PlanModel& model,
                        const std::vector<GraphOfView>& graphs, StringTable& strings) {
  json.key("graph").begin_object();
  json.key("kinds").begin_object();
  write_kinds(json, "node", NodeKind::kOperation);
  write_kinds(json, "edge", graph::EdgeKind::kContracted);
  write_kinds(json, "group", graph::GroupKind::kSection);
  json.end_object();
  const LayerWords words(model);
  const LayerFacts layers(model, words);
  write_layer_texts(json, "short_names", short_names(model), strings);
  write_layer_texts(json, "parameters", layers.parameters, strings);
  json.key("views").begin_object();
  for (const GraphOfView& view : graphs) {
    json.key(to_string(view.graph.view));
    ViewWriter(json, model, layers, view, strings).write();
  }
  json.end_object().end_object();
}

}  // namespace planex::render
