// Groups while they are found: stretches of nodes that nest. What finds groups only adds stretches;
// who lies in whom follows from where they begin and end.
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

  // Sorts, and drops what is the same stretch as another or crosses one. A group that is all one
  // series or one layer is that.
  explicit DraftForest(std::vector<GroupDraft> unordered);

  // The innermost draft around each of the nodes, or kNoRow.
  std::vector<std::uint32_t> innermost(std::size_t node_count) const;

  // The drafts directly in each, by one more index for the roots (the last).
  std::vector<std::vector<std::uint32_t>> children() const;
};

// Nodes that stand for work: not bindings or memory.
inline bool is_work(const Node& node) {
  return node.kind != NodeKind::kBinding && node.kind != NodeKind::kMemory;
}

// From scopes of names and blocks of the engine.
std::vector<GroupDraft> scope_drafts(const model::PlanModel& model, const PlanGraph& graph,
                                     const Scopes& scopes);

// What each node is, as a number: nodes with the same one are of the same type and precision.
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

// Series of groups that are alike, one behind another.
std::vector<GroupDraft> series_drafts(const DraftForest& forest, const Scopes& scopes,
                                      const Shapes& shapes);

// Stretches of nodes outside all other groups that repeat themselves: a series and its turns.
std::vector<GroupDraft> repeat_drafts(const PlanGraph& graph, const DraftForest& forest,
                                      const Signatures& signatures);

// The layer that each node is or, in the source view, became; null where there is none.
std::vector<model::LayerId> layers_of_nodes(const model::PlanModel& model, const PlanGraph& graph);

// Runs of operations that became one layer, in the source view.
std::vector<GroupDraft> layer_drafts(const model::PlanModel& model, const DraftForest& forest,
                                     std::span<const model::LayerId> layers);

// Sections of all that has too much directly in it.
std::vector<GroupDraft> section_drafts(const PlanGraph& graph, const DraftForest& forest);

}  // namespace planex::graph
