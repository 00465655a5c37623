// Groups of nodes: from the scopes in names, from the blocks of the engine, from repetition.
//
// A group is a run of consecutive nodes in execution order that belong to its scope, never a
// scattered set: what a person sees as one piece of the network. Groups nest and form a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/plan_graph.h"

namespace planex::graph {

struct GroupTag;
using GroupId = base::Id<GroupTag>;

enum class GroupKind : std::uint8_t {
  kScope,   // a scope of names: layer1, layers.3.attn
  kSeries,  // repeated isomorphic groups that follow one another: layers.0 to layers.11
  kRepeat,  // one instance of a series that names don't show
  kLayer,   // source view: the layer that a run of operations became
  kOpaque,  // a layer that hides others, opened into its known contents
  kConditional,
  kBranch,
  kLoop,
  kSection,  // a stretch of nodes that nothing else divides: so that 100 000 nodes can be folded
};

// "scope": the constant's name in lower case.
std::string_view to_string(GroupKind kind);

struct Group {
  GroupKind kind = GroupKind::kScope;
  GroupId parent;
  // As shown: "layer1", "layers.0 … layers.11". Unique among its siblings.
  std::string name;
  // The whole path, unique in the tree: the form that --group accepts and links use.
  std::string path;
  // Groups directly in it, in execution order.
  std::vector<GroupId> groups;
  // The nodes in it and in all its groups: number, first and last in execution order.
  std::size_t node_count = 0;
  NodeId first, last;
  // Layers that do work in it, and their times: sum, null where no layer has one.
  std::size_t layer_count = 0;
  std::optional<double> median_ms;
  // The slowest layer in it; null without times.
  NodeId hottest;

  // Groups with the same value are isomorphic: same types, precisions and inner edges, in the same
  // order. 0: unlike any other.
  std::uint32_t shape = 0;
  // kSeries: times of its instances, and the instances whose time or precision stands out (more
  // than 1.5 times the median, or another shape).
  std::optional<double> instance_min_ms, instance_median_ms, instance_max_ms;
  std::vector<GroupId> outliers;
};

struct GroupTree {
  // A group comes before those in it.
  std::vector<Group> groups;
  // Outermost groups, in execution order.
  std::vector<GroupId> roots;
  // The innermost group of each node, null where it is in none.
  std::vector<GroupId> group_of_node;
  // The slowest layer overall; null without times.
  NodeId hottest;
};

// Cost: O(n log n) in nodes and edges; names are cut at 400 bytes before they are read.
GroupTree build_groups(const model::PlanModel& model, const PlanGraph& graph);

// A group by its path, or by its name if that is unique; null if there is none.
GroupId find_group(const GroupTree& tree, std::string_view path);

// Which groups are folded.
struct FoldRequest {
  // Groups at this depth are folded, those around them open; outermost groups are at 1. 0: all are
  // open. Null: planex chooses, so that about `max_boxes` boxes remain at most, and folds a series
  // before anything else.
  std::optional<std::uint32_t> depth;
  std::size_t max_boxes = 1500;
  // Groups that are open, or folded, regardless of other settings.
  std::vector<GroupId> open, folded;
  // Nodes that must be visible (selected, highlighted): the groups around them are open.
  std::vector<NodeId> shown;
};

// One value per group. The group around the slowest layer stays open unless `folded` or `depth`
// says otherwise, as far as max_boxes allows; a folded group shows its slowest layer by name.
std::vector<bool> folded_groups(const GroupTree& tree, const PlanGraph& graph,
                                const FoldRequest& request);

}  // namespace planex::graph
