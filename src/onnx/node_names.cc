#include "onnx/node_names.h"

#include "base/text.h"

namespace planex::onnx {

using base::format;

namespace {

constexpr std::string_view kSeparator = " | ";
constexpr std::string_view kUnnamed = "node_of_";

std::string_view first_output(const Model& model, const Node& node) {
  const auto outputs = model.outputs_of(node);
  return outputs.empty() ? std::string_view{} : outputs.front();
}

}  // namespace

NodeNames::NodeNames(const Model& model) : model_(model) {
  make_paths();
  for (Index index = 0; index < model.nodes.size(); ++index) {
    const Node& node = model.nodes[index];
    if (!node.name.empty()) {
      by_name_.try_emplace(node.name, index);
      if (model.graphs[node.graph].kind == GraphKind::kSubgraph) {
        by_place_.try_emplace({node.graph, node.name}, index);
      }
    }
    for (const std::string_view output : model.outputs_of(node)) {
      if (output.empty()) continue;
      by_output_.try_emplace(output, index);
      if (model.graphs[node.graph].kind == GraphKind::kSubgraph) {
        by_place_.try_emplace({node.graph, output}, index);
      }
    }
  }
}

void NodeNames::make_paths() {
  // One path is kept for each of up to 100 000 graphs, so a name of a megabyte must not be in all
  // of them.
  constexpr std::size_t kMaxNameBytes = 200, kMaxPathBytes = 600;
  paths_.resize(model_.graphs.size());
  for (Index index = 0; index < paths_.size(); ++index) {
    const Graph& graph = model_.graphs[index];
    std::string& path = paths_[index];
    if (graph.kind == GraphKind::kFunction) {
      const auto& function = model_.functions[graph.function];
      path = format("{}::{} (function)", function.domain.substr(0, kMaxNameBytes),
                    function.name.substr(0, kMaxNameBytes));
    } else if (graph.kind == GraphKind::kSubgraph) {
      const Node& node = model_.nodes[graph.node];
      const std::string name = node.name.empty()
                                   ? std::string(kUnnamed).append(first_output(model_, node))
                                   : std::string(node.name);
      path = format("{} ({}){}{} ({})", graph.name.substr(0, kMaxNameBytes),
                    graph.attribute.substr(0, kMaxNameBytes), kSeparator,
                    std::string_view(name).substr(0, kMaxNameBytes),
                    node.op_type.substr(0, kMaxNameBytes));
      const std::string& around = paths_[node.graph];
      if (!around.empty()) {
        path += kSeparator;
        path += path.size() + around.size() > kMaxPathBytes ? "…" : around;
      }
    }
  }
  for (Index index = 0; index < paths_.size(); ++index) {
    if (!paths_[index].empty()) graph_by_path_.try_emplace(paths_[index], index);
  }
}

Index NodeNames::in(const Nodes& nodes, std::string_view name) {
  const auto found = nodes.find(name);
  return found == nodes.end() ? kNoIndex : found->second;
}

Index NodeNames::find(std::string_view name) const {
  for (const Nodes* nodes : {&told_, &by_name_, &by_output_}) {
    if (const Index node = in(*nodes, name); node != kNoIndex) return node;
  }
  if (name.starts_with(kUnnamed)) {
    const Index node = in(by_output_, name.substr(kUnnamed.size()));
    if (node != kNoIndex) return node;
  }
  if (const std::size_t bar = name.find(kSeparator); bar != name.npos) {
    const Index graph = in(graph_by_path_, name.substr(bar + kSeparator.size()));
    std::string_view inner = name.substr(0, bar);
    for (int i = 0; graph != kNoIndex && i < 2; ++i) {
      const auto found = by_place_.find({graph, inner});
      if (found != by_place_.end()) return found->second;
      if (!inner.starts_with(kUnnamed)) break;
      inner.remove_prefix(kUnnamed.size());
    }
  }
  constexpr std::string_view kLayoutSuffix = "_nchwc";
  if (name.ends_with(kLayoutSuffix)) {
    return in(by_output_, name.substr(0, name.size() - kLayoutSuffix.size()));
  }
  return kNoIndex;
}

void NodeNames::tell(std::string_view name, Index node) {
  told_.try_emplace(name, node);
  name_told_.try_emplace(node, name);
}

std::string_view NodeNames::name_of(Index node) const {
  if (!model_.nodes[node].name.empty()) return model_.nodes[node].name;
  const auto found = name_told_.find(node);
  return found == name_told_.end() ? std::string_view{} : found->second;
}

}  // namespace planex::onnx
