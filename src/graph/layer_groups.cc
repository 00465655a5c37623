#include <unordered_map>

#include "base/text.h"
#include "base/utf8.h"
#include "graph/group_drafts.h"

namespace planex::graph {
namespace {

using model::LayerId;
using model::PlanModel;

constexpr std::size_t kMaxName = 400;

// Without a partial character at the end.
std::string name_of(const PlanModel& model, LayerId layer) {
  std::string_view name = model.text(model.layers.name[layer.index()]);
  if (name.empty()) return base::format("#{}", layer.index());
  if (name.size() > kMaxName) {
    std::size_t end = kMaxName;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80U) --end;
    name = name.substr(0, end);
  }
  return base::valid_utf8(name);
}

}  // namespace

std::vector<LayerId> layers_of_nodes(const PlanModel& model, const PlanGraph& graph) {
  std::unordered_map<std::string_view, LayerId> layer_of;
  if (graph.view == View::kSource) {
    for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
      const LayerId layer = model.sources.layer_id[row];
      if (model.is_shown(layer)) layer_of.emplace(model.text(model.sources.op_name[row]), layer);
    }
  }
  std::vector<LayerId> layers;
  layers.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    layers.push_back(node.layer);
    if (node.operation.is_null()) continue;
    const auto found = layer_of.find(model.text(model.operations.name[node.operation.index()]));
    if (found != layer_of.end()) layers.back() = found->second;
  }
  return layers;
}

std::vector<GroupDraft> layer_drafts(const PlanModel& model, const DraftForest& forest,
                                     std::span<const LayerId> layers) {
  std::vector<GroupDraft> found;
  const std::vector<std::uint32_t> innermost = forest.innermost(layers.size());
  std::uint32_t first = 0;
  for (std::uint32_t i = 1; i <= layers.size(); ++i) {
    const bool goes_on =
        i < layers.size() && layers[i] == layers[first] && innermost[i] == innermost[first];
    if (goes_on) continue;
    if (i - first > 1 && !layers[first].is_null()) {
      found.push_back({.kind = GroupKind::kLayer,
                       .first = first,
                       .end = i,
                       .name = name_of(model, layers[first])});
    }
    first = i;
  }
  return found;
}

}  // namespace planex::graph
