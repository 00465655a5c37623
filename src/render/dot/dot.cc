#include "render/dot/dot.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "graph/selection.h"
#include "render/dot/dot_text.h"
#include "render/drawing/flow.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"
#include "render/words/short_names.h"

namespace planex::render {
namespace {

using base::format;
using graph::EdgeKind;
using graph::GroupId;
using graph::NodeKind;
using model::LayerId;
using model::PlanModel;

std::string dot_time_text(std::optional<double> ms) {
  return ms ? short_time_text(*ms) : std::string();
}

bool is_record(const graph::Node& node) {
  return node.kind == NodeKind::kLayer || node.kind == NodeKind::kConstant;
}

class DotWriter {
 public:
  DotWriter(const PlanModel& model, const graph::PlanGraph& graph, const graph::GroupTree* groups,
            const DotOptions& options, const DocumentSink& sink)
      : model_(model),
        graph_(graph),
        groups_(groups),
        palette_(options.palette),
        paint_(model, graph, options.colour, options.palette),
        sink_(sink) {
    if (options.names == NameStyle::kShort && graph.view != graph::View::kSource) {
      short_names_ = short_names(model);
    }
  }

  Result<void> write() {
    write_head();
    PLANEX_TRY(groups_ != nullptr ? write_groups() : write_nodes());
    for (const graph::Edge& edge : graph_.edges) {
      write_edge(edge);
      PLANEX_TRY(flush_if_long());
    }
    text_ += "}\n";
    return sink_(text_);
  }

 private:
  std::string_view ui(UiColour colour) const { return palette_.ui(colour); }

  void write_head() {
    DotText title;
    title.line(model_.text(model_.engine.name[0]));
    if (graph_.view != graph::View::kSource) {
      if (const std::string why = unlinked_text(model_); !why.empty()) title.line(why);
    }
    text_ += format(
        "digraph planex {{\n"
        "graph [label={}, labelloc=t, bgcolor=\"{}\", fontcolor=\"{}\", fontname=\"Arial\"];\n"
        "node [shape=box, style=\"rounded,filled\", color=\"{}\", fontname=\"Arial\"];\n"
        "edge [fontname=\"Arial\", fontsize=10, fontcolor=\"{}\"];\n",
        title.quoted(), ui(UiColour::kBackground), ui(UiColour::kInk), ui(UiColour::kLine2),
        ui(UiColour::kInk2));
  }

  Result<void> write_nodes() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      write_node(i);
      PLANEX_TRY(flush_if_long());
    }
    return {};
  }

  // Each group with its own nodes, then the groups in it; nodes in no group first.
  Result<void> write_groups() {
    const std::vector<GroupId>& group_of = groups_->group_of_node;
    std::vector<std::vector<std::uint32_t>> nodes_of(groups_->groups.size());
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (group_of[i].is_null()) {
        write_node(i);
        PLANEX_TRY(flush_if_long());
      } else {
        nodes_of[group_of[i].index()].push_back(static_cast<std::uint32_t>(i));
      }
    }
    // A null marks the end of the group that is open.
    std::vector<GroupId> waiting(groups_->roots.rbegin(), groups_->roots.rend());
    while (!waiting.empty()) {
      const GroupId id = waiting.back();
      waiting.pop_back();
      if (id.is_null()) {
        text_ += "}\n";
        continue;
      }
      const graph::Group& group = groups_->groups[id.index()];
      open_cluster(id, group);
      PLANEX_TRY(flush_if_long());
      for (const std::uint32_t node : nodes_of[id.index()]) {
        write_node(node);
        PLANEX_TRY(flush_if_long());
      }
      waiting.emplace_back();
      waiting.insert(waiting.end(), group.groups.rbegin(), group.groups.rend());
    }
    return {};
  }

  void open_cluster(GroupId id, const graph::Group& group) {
    DotText label, tooltip;
    label.line(group.name);
    if (group.median_ms) label.line(dot_time_text(group.median_ms));
    tooltip.line(group.path).line(base::counted(group.layer_count, "layer"));
    text_ += format("subgraph cluster_{} {{\ngraph [label={}, tooltip={}, color=\"{}\"];\n",
                    id.index(), label.quoted(), tooltip.quoted(), ui(UiColour::kLine2));
  }

  void write_node(std::size_t index) {
    const graph::Node& node = graph_.nodes[index];
    const std::string_view fill = paint_.fill(node);
    text_ += format("n{} [label={}, tooltip={}", index, label_of(node), tooltip_of(node));
    if (fill.empty()) {
      text_ += format(", style=\"rounded,dashed\", fontcolor=\"{}\"", ui(UiColour::kInk));
    } else {
      const std::string_view ink = palette_.ink_on(fill);
      text_ += format(", fillcolor=\"{}\", fontcolor=\"{}\"", fill,
                      ink.empty() ? ui(UiColour::kInk) : ink);
    }
    if (node.kind == NodeKind::kBinding) text_ += ", shape=box, style=filled";
    if (node.kind == NodeKind::kMemory) text_ += ", shape=box, style=\"filled,dashed\"";
    text_ += "];\n";
  }

  std::string_view name_of(const graph::Node& node) const {
    if (is_record(node) && !short_names_.empty()) return short_names_[node.layer.index()];
    return graph::node_name(model_, node);
  }

  std::string label_of(const graph::Node& node) const {
    DotText label;
    label.line(name_of(node));
    if (is_record(node)) {
      label.line(model_.text(model_.layers.type[node.layer.index()]));
      const std::string time = dot_time_text(model_.time_ms(node.layer));
      if (!time.empty()) label.line(time);
    } else if (node.kind == NodeKind::kOperation) {
      label.line(node.operation.is_null()
                     ? model_.text(model_.sources.op_type[node.source])
                     : model_.text(model_.operations.type[node.operation.index()]));
    } else if (node.binding != graph::kNoRow) {
      label.line(flow_text(flow_of_binding(model_, node.binding)));
    } else if (node.generations > 1) {
      label.line(format("use {} of {}", node.generation + 1, node.generations));
    }
    return label.quoted();
  }

  std::string tooltip_of(const graph::Node& node) const {
    DotText tooltip;
    tooltip.line(graph::node_name(model_, node));
    if (is_record(node)) add_layer(node.layer, tooltip);
    if (node.kind == NodeKind::kOperation && !node.operation.is_null()) {
      const std::size_t row = node.operation.index();
      tooltip.fact("domain", model_.text(model_.operations.domain[row]));
      tooltip.fact("parameters", model_.text(model_.operations.parameters[row]));
    }
    return tooltip.quoted();
  }

  void add_layer(LayerId layer, DotText& tooltip) const {
    const model::LayersTable& layers = model_.layers;
    const std::size_t row = layer.index();
    tooltip.fact("type", model_.text(layers.type[row]))
        .fact("subtype", model_.text(layers.subtype[row]))
        .fact("tactic", model_.text(layers.tactic[row]))
        .fact("time", dot_time_text(model_.time_ms(layer)));
    const model::RowRange ports = model_.ports_of(layer);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const std::string_view tensor =
          model_.text(model_.tensors.name[model_.ports.tensor_id[port].index()]);
      tooltip.fact(to_string(model_.ports.direction[port]),
                   format("{} {}", tensor.substr(0, kLongestName),
                          flow_text(flow_at(model_, graph::View::kExecution,
                                            static_cast<std::uint32_t>(port)))));
    }
    const model::RowRange attributes = model_.attributes_of(layer);
    for (std::size_t at = attributes.first; at < attributes.end(); ++at) {
      tooltip.fact(model_.text(model_.attributes.key[at]),
                   model_.text(model_.attributes.value[at]));
    }
  }

  void write_edge(const graph::Edge& edge) {
    text_ +=
        format("n{} -> n{} [color=\"{}\"", edge.from.index(), edge.to.index(), colour_of(edge));
    const std::string label = edge_text(edge);
    if (!label.empty()) text_ += format(", label={}", DotText().line(label).quoted());
    if (!edge.tensor.is_null()) {
      const std::string_view name = model_.text(model_.tensors.name[edge.tensor.index()]);
      text_ += format(", tooltip={}", DotText().line(name).quoted());
    }
    text_ += style_of(edge.kind);
    text_ += "];\n";
  }

  static std::string_view style_of(EdgeKind kind) {
    switch (kind) {
      case EdgeKind::kData:
        return "";
      case EdgeKind::kCarried:
        return ", constraint=false";
      case EdgeKind::kReuse:
      case EdgeKind::kEvent:
      case EdgeKind::kOrder:
        return ", style=dashed";
      case EdgeKind::kControl:
      case EdgeKind::kContracted:
        return ", style=dotted";
    }
    return "";
  }

  std::string_view colour_of(const graph::Edge& edge) const {
    const std::uint32_t port = edge.from_port != graph::kNoRow ? edge.from_port : edge.to_port;
    const std::string_view colour = palette_.precision(flow_at(model_, graph_.view, port).dtype);
    return colour.empty() ? ui(UiColour::kInk3) : colour;
  }

  // "1×64×56×56 FP16 NHWC8", and both if the ends disagree.
  std::string edge_text(const graph::Edge& edge) const {
    const std::string from = flow_text(flow_at(model_, graph_.view, edge.from_port));
    const std::string to = flow_text(flow_at(model_, graph_.view, edge.to_port));
    if (from.empty() || to.empty() || from == to) return from.empty() ? to : from;
    return format("{} → {}", from, to);
  }

  Result<void> flush_if_long() {
    if (text_.size() < kPieceBytes) return {};
    PLANEX_TRY(sink_(text_));
    text_.clear();
    return {};
  }

  // More than a DotText accepts.
  static constexpr std::size_t kLongestName = 20'000;

  const PlanModel& model_;
  const graph::PlanGraph& graph_;
  const graph::GroupTree* groups_;
  Palette palette_;
  Paint paint_;
  const DocumentSink& sink_;
  std::vector<std::string> short_names_;
  std::string text_;
};

}  // namespace

Result<void> write_dot(const PlanModel& model, const graph::PlanGraph& graph,
                       const graph::GroupTree* groups, const DotOptions& options,
                       const DocumentSink& sink) {
  return DotWriter(model, graph, groups, options, sink).write();
}

}  // namespace planex::render
