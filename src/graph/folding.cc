#include <algorithm>
#include <queue>
#include <tuple>

#include "graph/hierarchy.h"

namespace planex::graph {
namespace {

class Folding {
 public:
  Folding(const GroupTree& tree, const FoldRequest& request)
      : tree_(tree), request_(request), folded_(tree.groups.size(), true) {
    const std::size_t count = tree.groups.size();
    is_forced_.assign(count, false);
    for (const GroupId group : request.folded) is_forced_[group.index()] = true;
    depth_.assign(count, 1);
    item_count_.assign(count, 0);
    for (std::size_t group = 0; group < count; ++group) {
      const Group& facts = tree.groups[group];
      if (!facts.parent.is_null()) depth_[group] = depth_[facts.parent.index()] + 1;
      item_count_[group] = facts.node_count + facts.groups.size();
      for (const GroupId inner : facts.groups) {
        item_count_[group] -= tree.groups[inner.index()].node_count;
      }
    }
  }

  std::vector<bool> run() {
    box_count_ = tree_.roots.size() + loose_nodes();
    open_demanded();
    if (request_.depth) {
      open_to_depth(*request_.depth);
    } else {
      open_hottest();
      open_what_fits();
    }
    return std::move(folded_);
  }

 private:
  std::size_t loose_nodes() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(tree_.group_of_node, [](GroupId group) { return group.is_null(); }));
  }

  bool is_reachable(GroupId group) const {
    const GroupId parent = tree_.groups[group.index()].parent;
    return parent.is_null() || !folded_[parent.index()];
  }

  std::size_t growth(GroupId group) const {
    return std::max<std::size_t>(item_count_[group.index()], 1) - 1;
  }

  void open(GroupId group) {
    folded_[group.index()] = false;
    box_count_ += growth(group);
  }

  // `group` and the groups around it, outermost first; nothing where one of them must be folded.
  std::vector<GroupId> way_to(GroupId group) const {
    std::vector<GroupId> way;
    for (; !group.is_null(); group = tree_.groups[group.index()].parent) {
      if (is_forced_[group.index()]) return {};
      if (folded_[group.index()]) way.push_back(group);
    }
    std::ranges::reverse(way);
    return way;
  }

  void open_demanded() {
    std::vector<GroupId> wanted = request_.open;
    for (const NodeId node : request_.shown) {
      const GroupId group = tree_.group_of_node[node.index()];
      if (!group.is_null()) wanted.push_back(group);
    }
    for (const GroupId group : wanted) {
      for (const GroupId at : way_to(group)) open(at);
    }
  }

  void open_to_depth(std::uint32_t depth) {
    for (std::size_t group = 0; group < folded_.size(); ++group) {
      const bool is_above = depth == 0 || depth_[group] < depth;
      if (is_above && !is_forced_[group]) folded_[group] = false;
    }
  }

  // The slowest layer is never hidden, as far as the number of boxes allows.
  void open_hottest() {
    if (tree_.hottest.is_null()) return;
    const GroupId group = tree_.group_of_node[tree_.hottest.index()];
    for (const GroupId at : way_to(group)) {
      if (box_count_ + growth(at) > request_.max_boxes) return;
      open(at);
    }
  }

  // Outer groups before inner ones, and series last, as one instance represents all.
  void open_what_fits() {
    using Entry = std::tuple<bool, std::uint32_t, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto offer = [&](GroupId group) {
      queue.emplace(is_in_series(group), depth_[group.index()], group.index());
    };
    for (const GroupId root : tree_.roots) offer(root);
    while (!queue.empty()) {
      const GroupId group(std::get<2>(queue.top()));
      queue.pop();
      if (is_forced_[group.index()]) continue;
      if (folded_[group.index()]) {
        if (box_count_ + growth(group) > request_.max_boxes) continue;
        open(group);
      }
      for (const GroupId inner : tree_.groups[group.index()].groups) offer(inner);
    }
  }

  bool is_in_series(GroupId group) const {
    if (tree_.groups[group.index()].kind == GroupKind::kSeries) return true;
    const GroupId parent = tree_.groups[group.index()].parent;
    return !parent.is_null() && tree_.groups[parent.index()].kind == GroupKind::kSeries;
  }

  const GroupTree& tree_;
  const FoldRequest& request_;
  std::vector<bool> folded_, is_forced_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::size_t> item_count_;
  std::size_t box_count_ = 0;
};

}  // namespace

std::vector<bool> folded_groups(const GroupTree& tree, const PlanGraph&,
                                const FoldRequest& request) {
  return Folding(tree, request).run();
}

}  // namespace planex::graph
