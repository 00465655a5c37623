#include "graph/group_drafts.h"

#include <algorithm>
#include <tuple>

namespace planex::graph {
namespace {

using model::PlanModel;

// Mixes a value into a hash (splitmix64's finish).
std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
  hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9U;
  hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebU;
  return hash ^ (hash >> 31U);
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

std::uint64_t hash_of_dims(std::uint64_t hash, std::span<const std::int64_t> dims) {
  for (const std::int64_t dim : dims) hash = mixed(hash, static_cast<std::uint64_t>(dim));
  return hash;
}

}  // namespace

DraftForest::DraftForest(std::vector<GroupDraft> unordered) {
  std::ranges::stable_sort(
      unordered, {}, [](const GroupDraft& draft) { return std::tuple(draft.first, ~draft.end); });
  std::vector<std::uint32_t> open;
  for (GroupDraft& draft : unordered) {
    while (!open.empty() && drafts[open.back()].end <= draft.first) open.pop_back();
    if (!open.empty()) {
      GroupDraft& around = drafts[open.back()];
      const bool is_same = around.first == draft.first && around.end == draft.end;
      if (is_same && draft.kind == GroupKind::kSeries) around.kind = GroupKind::kSeries;
      if (is_same && draft.kind == GroupKind::kLayer) around = draft;
      if (is_same || draft.end > around.end) continue;
    }
    parent.push_back(open.empty() ? kNoRow : open.back());
    open.push_back(static_cast<std::uint32_t>(drafts.size()));
    drafts.push_back(std::move(draft));
  }
}

// Inner drafts come after outer ones, so the last open one is the innermost.
std::vector<std::uint32_t> DraftForest::innermost(std::size_t node_count) const {
  std::vector<std::uint32_t> result(node_count, kNoRow), open;
  std::size_t next = 0;
  for (std::size_t node = 0; node < node_count; ++node) {
    while (!open.empty() && drafts[open.back()].end <= node) open.pop_back();
    for (; next < drafts.size() && drafts[next].first == node; ++next) {
      open.push_back(static_cast<std::uint32_t>(next));
    }
    if (!open.empty()) result[node] = open.back();
  }
  return result;
}

std::vector<std::vector<std::uint32_t>> DraftForest::children() const {
  std::vector<std::vector<std::uint32_t>> lists(drafts.size() + 1);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    lists[parent[i] == kNoRow ? drafts.size() : parent[i]].push_back(static_cast<std::uint32_t>(i));
  }
  return lists;
}

namespace {

// By operation: the dimensions of everything it writes.
std::vector<std::uint64_t> hashes_of_outputs(const PlanModel& model) {
  std::vector<std::uint64_t> hashes(model.operations.row_count(), 0);
  for (std::size_t port = 0; port < model.operation_ports.row_count(); ++port) {
    if (model.operation_ports.direction[port] != model::Direction::kOutput) continue;
    std::uint64_t& hash = hashes[model.operation_ports.operation_id[port].index()];
    hash = hash_of_dims(mixed(hash, 1), model.operation_ports.dims[port]);
  }
  return hashes;
}

std::uint64_t hash_of_outputs(const PlanModel& model, model::LayerId layer) {
  std::uint64_t hash = 0;
  const model::RowRange ports = model.ports_of(layer);
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    if (model.ports.direction[port] != model::Direction::kOutput) continue;
    hash = hash_of_dims(mixed(hash, 1), model.ports.dims[port]);
  }
  return hash;
}

std::uint64_t hash_of_type(const PlanModel& model, const Node& node) {
  if (node.kind == NodeKind::kOperation) {
    const base::StringId type = node.operation.is_null()
                                    ? model.sources.op_type[node.source]
                                    : model.operations.type[node.operation.index()];
    return hash_of(model.text(type));
  }
  if (node.layer.is_null()) return 0;
  const std::size_t row = node.layer.index();
  std::uint64_t hash = hash_of(model.text(model.layers.type[row]));
  hash = mixed(hash, static_cast<std::uint64_t>(model.layers.precision[row]));
  return mixed(hash, static_cast<std::uint64_t>(model.layers.output_precision[row]));
}

}  // namespace

Signatures::Signatures(const PlanModel& model, const PlanGraph& graph) {
  const std::vector<std::uint64_t> operations = hashes_of_outputs(model);
  kind.reserve(graph.nodes.size());
  exact.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    kind.push_back(mixed(static_cast<std::uint64_t>(node.kind), hash_of_type(model, node)));
    std::uint64_t outputs = 0;
    if (!node.operation.is_null()) {
      outputs = operations[node.operation.index()];
    } else if (!node.layer.is_null()) {
      outputs = hash_of_outputs(model, node.layer);
    }
    exact.push_back(mixed(kind.back(), outputs));
  }
}

std::uint64_t Shapes::hash(const GroupDraft& draft, const std::vector<std::uint64_t>& nodes) const {
  std::uint64_t result = draft.size();
  for (std::uint32_t node = draft.first; node < draft.end; ++node) {
    result = mixed(result, nodes[node]);
    for (const std::uint32_t i : adjacency_.in(NodeId(node))) {
      const Edge& edge = graph_.edges[i];
      const std::size_t from = edge.from.index();
      if (from < draft.first || from >= draft.end) continue;
      result = mixed(mixed(result, from - draft.first), static_cast<std::uint64_t>(edge.kind));
    }
  }
  return result;
}

}  // namespace planex::graph
