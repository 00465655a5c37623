// Groups while they are found: stretches of nodes that nest. Finders only add stretches; nesting
// follows from where they begin and end.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/hierarchy.h"
#include "graph/scopes.h"

namespace planex::graph {

struct GroupDraft {
  GroupKind kind = GroupKind::kScope;
  // Nodes [first, end).
  std::uint32_t first = 0, end = 0;
  // kScope and blocks: the scope, and the one it was found in. The names of others are given.
  Scopes::Id scope = Scopes::kNone;
  Scopes::Id outside = Scopes::kNone;
  std::string name;

  std::uint32_t size() const { return end - first; }
};

// Drafts as a forest. No two of them are the same stretch, and none crosses another.
struct DraftForest {
  std::vector<GroupDraft> drafts;     // outer before inner, by where they begin
  std::vector<std::uint32_t> parent;  // kNoRow: a root

  // Sorts, and drops stretches that equal another or cross one. A group that is entirely one series
  // or one layer becomes that.
  explicit DraftForest(std::vector<GroupDraft> unordered);

  // The innermost draft around each of the nodes, or kNoRow.
  std::vector<std::uint32_t> innermost(std::size_t node_count) const;

  // The drafts directly in each, with one more index (the last) for the roots.
  std::vector<std::vector<std::uint32_t>> children() const;
};

// Nodes that represent work: not bindings or memory.
inline bool is_work(const Node& node) {
  return node.kind != NodeKind::kBinding && node.kind != NodeKind::kMemory;
}

// From scopes in names and blocks of the engine.
std::vector<GroupDraft> scope_drafts(const model::PlanModel& model, const PlanGraph& graph,
                                     const Scopes& scopes);

// The kind of each node, as a number: nodes with the same number have the same type and precision.
struct Signatures {
  std::vector<std::uint64_t> kind;   // type and precisions
  std::vector<std::uint64_t> exact;  // and dimensions of what it writes

  Signatures(const model::PlanModel& model, const PlanGraph& graph);
};

// The same for a stretch of nodes and the edges inside it.
class Shapes {
 public:
  Shapes(const PlanGraph& graph, const Adjacency& adjacency, const Signatures& signatures)
      : graph_(graph), adjacency_(adjacency), signatures_(signatures) {}

  std::uint64_t of(const GroupDraft& draft) const { return hash(draft, signatures_.kind); }
  std::uint64_t exact(const GroupDraft& draft) const { return hash(draft, signatures_.exact); }

 private:
  std::uint64_t hash(const GroupDraft& draft, const std::vector<std::uint64_t>& nodes) const;

  const PlanGraph& graph_;
  const Adjacency& adjacency_;
  const Signatures& signatures_;
};

// Series of similar groups that follow one another.
std::vector<GroupDraft> series_drafts(const DraftForest& forest, const Scopes& scopes,
                                      const Shapes& shapes);

// Repeating stretches of nodes outside all other groups: a series and its instances.
std::vector<GroupDraft> repeat_drafts(const PlanGraph& graph, const DraftForest& forest,
                                      const Signatures& signatures);

// The layer that each node is or, in the source view, became; null where there is none.
std::vector<model::LayerId> layers_of_nodes(const model::PlanModel& model, const PlanGraph& graph);

// Runs of operations that became one layer, in the source view.
std::vector<GroupDraft> layer_drafts(const model::PlanModel& model, const DraftForest& forest,
                                     std::span<const model::LayerId> layers);

// Sections of groups that contain too much directly.
std::vector<GroupDraft> section_drafts(const PlanGraph& graph, const DraftForest& forest);

}  // namespace planex::graph
