#include "graph/hierarchy.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/statistics.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/group_drafts.h"
#include "graph/scopes.h"

namespace planex::graph {
namespace {

using base::format;
using model::LayerId;
using model::PlanModel;

// An instance that takes this many times as long as most do stands out.
constexpr double kOddTime = 1.5;

DraftForest find_groups(const PlanModel& model, const PlanGraph& graph, const Scopes& scopes,
                        const Shapes& shapes, const Signatures& signatures,
                        std::span<const LayerId> layers) {
  std::vector<GroupDraft> drafts = scope_drafts(model, graph, scopes);
  const auto add = [&](std::vector<GroupDraft> more) {
    drafts.insert(drafts.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
  };
  add(series_drafts(DraftForest(drafts), scopes, shapes));
  add(repeat_drafts(graph, DraftForest(drafts), signatures));
  if (graph.view == View::kSource) add(layer_drafts(model, DraftForest(drafts), layers));
  add(section_drafts(graph, DraftForest(drafts)));
  return DraftForest(std::move(drafts));
}

class TreeBuilder {
 public:
  TreeBuilder(const PlanModel& model, const PlanGraph& graph, const Scopes& scopes,
              const Shapes& shapes, DraftForest forest, std::span<const LayerId> layers)
      : model_(model),
        scopes_(scopes),
        shapes_(shapes),
        forest_(std::move(forest)),
        work_of_node_(first_nodes(model, graph, layers)) {}

  GroupTree run() {
    add_groups();
    place_nodes();
    name_groups();
    number_shapes();
    for (std::size_t group = 0; group < tree_.groups.size(); ++group) {
      if (tree_.groups[group].kind == GroupKind::kSeries) compare_turns(group);
    }
    return std::move(tree_);
  }

 private:
  void add_groups() {
    tree_.groups.reserve(forest_.drafts.size());
    for (std::size_t i = 0; i < forest_.drafts.size(); ++i) {
      const GroupDraft& draft = forest_.drafts[i];
      Group group;
      group.kind = draft.kind;
      if (forest_.parent[i] != kNoRow) group.parent = GroupId(forest_.parent[i]);
      group.node_count = draft.size();
      group.first = NodeId(draft.first);
      group.last = NodeId(draft.end - 1);
      tree_.groups.push_back(std::move(group));
      siblings_of(GroupId(i)).push_back(GroupId(i));
    }
  }

  std::vector<GroupId>& siblings_of(GroupId group) {
    const GroupId parent = tree_.groups[group.index()].parent;
    return parent.is_null() ? tree_.roots : tree_.groups[parent.index()].groups;
  }

  // The layer whose work counts at a node: for operations that became one layer, only the first.
  static std::vector<LayerId> first_nodes(const PlanModel& model, const PlanGraph& graph,
                                          std::span<const LayerId> layers) {
    std::vector<LayerId> work(graph.nodes.size());
    std::vector<bool> is_counted(model.layers.row_count(), false);
    for (std::size_t node = 0; node < work.size(); ++node) {
      const LayerId layer = layers[node];
      if (layer.is_null() || is_counted[layer.index()] || !model.does_work(layer)) continue;
      is_counted[layer.index()] = true;
      work[node] = layer;
    }
    return work;
  }

  std::optional<double> time_of(NodeId node) const {
    const LayerId layer = work_of_node_[node.index()];
    return layer.is_null() ? std::nullopt : model_.time_ms(layer);
  }

  void place_nodes() {
    tree_.group_of_node.reserve(work_of_node_.size());
    for (const std::uint32_t group : forest_.innermost(work_of_node_.size())) {
      tree_.group_of_node.push_back(group == kNoRow ? GroupId() : GroupId(group));
    }
    std::optional<double> slowest;
    for (std::size_t node = 0; node < work_of_node_.size(); ++node) {
      if (!work_of_node_[node].is_null()) add_to_innermost(NodeId(node), slowest);
    }
    for (std::size_t group = tree_.groups.size(); group-- > 0;) add_to_parent(group);
  }

  void add_to_innermost(NodeId node, std::optional<double>& slowest) {
    const auto time = time_of(node);
    if (time && (!slowest || *time > *slowest)) {
      slowest = time;
      tree_.hottest = node;
    }
    const GroupId group = tree_.group_of_node[node.index()];
    if (group.is_null()) return;
    ++tree_.groups[group.index()].layer_count;
    if (time) add_time(tree_.groups[group.index()], *time, node);
  }

  void add_time(Group& group, double sum, NodeId hottest) const {
    group.median_ms = group.median_ms.value_or(0) + sum;
    // Of equal ones the first.
    const bool is_hotter =
        group.hottest.is_null() ||
        std::pair(-*time_of(hottest), hottest) < std::pair(-*time_of(group.hottest), group.hottest);
    if (is_hotter) {
      group.hottest = hottest;
    }
  }

  void add_to_parent(std::size_t index) {
    const Group& group = tree_.groups[index];
    if (group.parent.is_null()) return;
    Group& parent = tree_.groups[group.parent.index()];
    parent.layer_count += group.layer_count;
    if (group.median_ms) add_time(parent, *group.median_ms, group.hottest);
  }

  // --- Names ---

  void name_groups() {
    for (std::size_t i = 0; i < tree_.groups.size(); ++i) {
      const GroupDraft& draft = forest_.drafts[i];
      tree_.groups[i].name = draft.name.empty() ? scope_name(draft) : draft.name;
    }
    UniqueNames names(tree_.groups.size()), paths(tree_.groups.size());
    for (std::size_t i = 0; i < tree_.groups.size(); ++i) {
      Group& group = tree_.groups[i];
      const std::string around =
          group.parent.is_null() ? "" : tree_.groups[group.parent.index()].path + "/";
      if (group.kind == GroupKind::kSeries) {
        const std::string range = range_of_turns(group);
        // A scope that is one series can be found by its own name too.
        if (group.name.empty()) group.name = range;
        group.path = paths.add(around, group.name);
        if (!range.empty()) group.name = range;
        group.name = names.add(around, group.name).substr(around.size());
      } else {
        group.name = names.add(around, group.name).substr(around.size());
        group.path = paths.add(around, group.name);
      }
    }
  }

  class UniqueNames {
   public:
    explicit UniqueNames(std::size_t count) { taken_.reserve(count); }

    // The name after that of the group around it, with a number if it was given before.
    std::string add(const std::string& around, const std::string& name) {
      std::string full = around + name;
      if (taken_.insert(full).second) return full;
      // Numbers continue where they ended, so that many groups with one name cost no more than few.
      std::size_t& number = next_number_.try_emplace(full, 2).first->second;
      std::string numbered;
      do {
        numbered = format("{} ({})", full, number++);
      } while (!taken_.insert(numbered).second);
      return numbered;
    }

   private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::size_t> next_number_;
  };

  // The part that a scope adds to the scope around it: "attn", "layers.3" where a number alone says
  // nothing.
  std::string scope_name(const GroupDraft& draft) const {
    std::string name;
    Scopes::Id scope = draft.scope;
    while (scope != Scopes::kNone && scope != draft.outside) {
      const std::string& part = scopes_.scope(scope).part;
      name = name.empty() ? part : part + "." + name;
      scope = scopes_.scope(scope).parent;
    }
    if (!base::are_digits(std::string_view(name).substr(0, name.find('.'))))
      return base::valid_utf8(name);
    // A number says nothing without what it counts, and "all" says nothing without what else is
    // below it.
    name.resize(std::min(name.find('.'), name.size()));
    while (scope != Scopes::kNone) {
      const std::string& part = scopes_.scope(scope).part;
      name = part + "." + name;
      if (!base::are_digits(part)) break;
      scope = scopes_.scope(scope).parent;
    }
    return base::valid_utf8(name);
  }

  // "layers.0 … layers.11"; nothing for instances that names don't show.
  std::string range_of_turns(const Group& series) const {
    const std::vector<GroupId> turns = turns_of(series);
    if (turns.size() < 2) return {};
    const Group& first = tree_.groups[turns.front().index()];
    const Group& last = tree_.groups[turns.back().index()];
    if (first.kind == GroupKind::kRepeat) return {};
    return first.name + " … " + last.name;
  }

  // Sections can split a long series.
  std::vector<GroupId> turns_of(const Group& series) const {
    std::vector<GroupId> turns;
    for (const GroupId group : series.groups) {
      const Group& facts = tree_.groups[group.index()];
      if (facts.kind == GroupKind::kSection) {
        turns.insert(turns.end(), facts.groups.begin(), facts.groups.end());
      } else {
        turns.push_back(group);
      }
    }
    return turns;
  }

  // --- Shapes and series ---

  // Numbers for what occurs more than once, in the order of first appearance.
  void number_shapes() {
    std::unordered_map<std::uint64_t, std::uint32_t> count;
    std::vector<std::uint64_t> shapes;
    shapes.reserve(tree_.groups.size());
    for (const GroupDraft& draft : forest_.drafts) ++count[shapes.emplace_back(shapes_.of(draft))];
    std::unordered_map<std::uint64_t, std::uint32_t> number;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (count[shapes[i]] < 2) continue;
      const auto next = static_cast<std::uint32_t>(number.size() + 1);
      tree_.groups[i].shape = number.emplace(shapes[i], next).first->second;
    }
  }

  // The shape that most instances have; with several, the first.
  std::uint32_t usual_shape(std::span<const GroupId> turns) const {
    std::unordered_map<std::uint32_t, std::size_t> count;
    std::uint32_t usual = 0;
    for (const GroupId turn : turns) ++count[tree_.groups[turn.index()].shape];
    std::size_t most = 0;
    for (const GroupId turn : turns) {
      const std::uint32_t shape = tree_.groups[turn.index()].shape;
      if (count[shape] <= most) continue;
      most = count[shape];
      usual = shape;
    }
    return usual;
  }

  void compare_turns(std::size_t index) {
    const std::vector<GroupId> turns = turns_of(tree_.groups[index]);
    std::vector<double> times;
    for (const GroupId turn : turns) {
      if (const auto time = tree_.groups[turn.index()].median_ms) times.push_back(*time);
    }
    Group& series = tree_.groups[index];
    if (!times.empty()) {
      const base::SampleStatistics statistics = base::sample_statistics(std::move(times));
      series.instance_min_ms = statistics.min;
      series.instance_median_ms = statistics.median;
      series.instance_max_ms = statistics.max;
    }
    const std::uint32_t usual = usual_shape(turns);
    for (const GroupId turn : turns) {
      const Group& facts = tree_.groups[turn.index()];
      const bool is_slow = facts.median_ms && series.instance_median_ms &&
                           *facts.median_ms > kOddTime * *series.instance_median_ms;
      if (is_slow || facts.shape != usual) series.outliers.push_back(turn);
    }
  }

  const PlanModel& model_;
  const Scopes& scopes_;
  const Shapes& shapes_;
  DraftForest forest_;
  std::vector<LayerId> work_of_node_;
  GroupTree tree_;
};

// The only group for which `is_it` is true, or null.
template <typename Is>
GroupId only_group(const GroupTree& tree, Is is_it) {
  GroupId only;
  for (std::size_t group = 0; group < tree.groups.size(); ++group) {
    if (!is_it(tree.groups[group])) continue;
    if (!only.is_null()) return GroupId();
    only = GroupId(group);
  }
  return only;
}

}  // namespace

std::string_view to_string(GroupKind kind) {
  switch (kind) {
    case GroupKind::kScope:
      return "scope";
    case GroupKind::kSeries:
      return "series";
    case GroupKind::kRepeat:
      return "repeat";
    case GroupKind::kLayer:
      return "layer";
    case GroupKind::kOpaque:
      return "opaque";
    case GroupKind::kConditional:
      return "conditional";
    case GroupKind::kBranch:
      return "branch";
    case GroupKind::kLoop:
      return "loop";
    case GroupKind::kSection:
      return "section";
  }
  return {};
}

GroupTree build_groups(const PlanModel& model, const PlanGraph& graph) {
  const std::vector<LayerId> layers = layers_of_nodes(model, graph);
  const Scopes scopes(model, graph, layers);
  const Adjacency adjacency(graph);
  const Signatures signatures(model, graph);
  const Shapes shapes(graph, adjacency, signatures);
  DraftForest forest = find_groups(model, graph, scopes, shapes, signatures, layers);
  return TreeBuilder(model, graph, scopes, shapes, std::move(forest), layers).run();
}

GroupId find_group(const GroupTree& tree, std::string_view path) {
  const GroupId exact = only_group(tree, [&](const Group& group) { return group.path == path; });
  if (!exact.is_null()) return exact;
  const GroupId named = only_group(tree, [&](const Group& group) { return group.name == path; });
  if (!named.is_null()) return named;
  // A series that is one scope is displayed by its instances, and found by the scope.
  return only_group(tree, [&](const Group& group) {
    return std::string_view(group.path).substr(group.path.rfind('/') + 1) == path;
  });
}

}  // namespace planex::graph
