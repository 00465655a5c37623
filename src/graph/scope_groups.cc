#include <algorithm>
#include <unordered_map>
#include <utility>

#include "graph/group_drafts.h"

namespace planex::graph {
namespace {

using model::PlanModel;

// A run no longer than this inside another scope (a shared embedding, an addition) belongs to it.
constexpr std::uint32_t kMaxAbsorbed = 6;
// Fewer layers are not a group, except for numbered scopes: layer1.0 can be two fused convolutions.
constexpr std::uint32_t kMinLayers = 3;
constexpr std::uint32_t kMinCounted = 2;
// An outermost scope that contains more than this share of all says nothing, if there are scopes in
// it.
constexpr double kMaxInOne = 0.8;

struct Run {
  Scopes::Id key = Scopes::kNone;
  std::uint32_t first = 0, end = 0;
  std::uint32_t work = 0;    // nodes that are layers or operations
  std::uint32_t saying = 0;  // those that have the scope themselves
};

class ScopeGroups {
 public:
  ScopeGroups(const PlanModel& model, const PlanGraph& graph, const Scopes& scopes)
      : graph_(graph), scopes_(scopes) {
    is_reformat_.reserve(graph.nodes.size());
    is_copy_of_output_.reserve(graph.nodes.size());
    for (const Node& node : graph.nodes) {
      const bool is_layer = node.kind == NodeKind::kLayer;
      is_reformat_.push_back(is_layer &&
                             model.layers.family[node.layer.index()] == model::Family::kReformat);
      is_copy_of_output_.push_back(is_layer &&
                                   model.text(model.layers.name[node.layer.index()])
                                       .starts_with("Reformatting CopyNode for Output Tensor"));
      if (is_work(node)) ++work_count_;
    }
  }

  std::vector<GroupDraft> run() {
    split_all();
    for (std::size_t at = 0; at < found_.size(); ++at) split(at);
    return std::move(found_);
  }

 private:
  // The outermost groups. A scope around nearly everything is left out.
  void split_all() {
    GroupDraft all{.end = static_cast<std::uint32_t>(graph_.nodes.size())};
    std::vector<Run> groups = groups_in(all);
    Scopes::Id outside = Scopes::kNone;
    while (groups.size() == 1 && groups.front().work > work_count_ * kMaxInOne) {
      all.scope = groups.front().key;
      outside = all.scope;
      groups = groups_in(all);
    }
    for (const Run& group : groups) add(group, outside);
  }

  // Adds the groups directly in one, to be split in turn. Where one scope covers all of it, the
  // group becomes that scope.
  void split(std::size_t at) {
    while (true) {
      const std::vector<Run> groups = groups_in(found_[at]);
      const bool is_all = groups.size() == 1 && groups.front().first == found_[at].first &&
                          groups.front().end == found_[at].end;
      if (!is_all) {
        const Scopes::Id outside = found_[at].scope;
        for (const Run& group : groups) add(group, outside);
        return;
      }
      found_[at].scope = groups.front().key;
      const GroupKind kind = scopes_.scope(groups.front().key).kind;
      if (kind != GroupKind::kScope) found_[at].kind = kind;
    }
  }

  void add(const Run& group, Scopes::Id outside) {
    found_.push_back({.kind = scopes_.scope(group.key).kind,
                      .first = group.first,
                      .end = group.end,
                      .scope = group.key,
                      .outside = outside,
                      .name = {}});
  }

  std::vector<Run> groups_in(const GroupDraft& draft) const {
    std::vector<Run> groups;
    for (const Run& run : absorbed(runs_in(draft))) {
      if (run.key != Scopes::kNone && is_group(run)) groups.push_back(run);
    }
    return groups;
  }

  bool is_group(const Run& run) const {
    const Scopes::Scope& scope = scopes_.scope(run.key);
    if (scope.kind != GroupKind::kScope) return true;
    const bool is_counted = scope.part.find_first_not_of("0123456789") == std::string::npos;
    return run.saying >= kMinCounted && (is_counted || run.work >= kMinLayers);
  }

  // The scope directly below the draft's that a node belongs to.
  Scopes::Id key_of(const GroupDraft& draft, std::uint32_t node) const {
    if (draft.scope == Scopes::kNone) return scopes_.at(node, 0);
    const std::uint32_t depth = scopes_.scope(draft.scope).depth;
    return scopes_.at(node, depth) == draft.scope ? scopes_.at(node, depth + 1) : Scopes::kNone;
  }

  std::vector<Run> runs_in(const GroupDraft& draft) const {
    std::vector<Scopes::Id> keys(draft.size());
    for (std::uint32_t i = 0; i < draft.size(); ++i) keys[i] = key_of(draft, draft.first + i);
    forget_scattered(keys);
    std::vector<bool> says(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) says[i] = keys[i] != Scopes::kNone;
    fill(draft, keys);
    std::vector<Run> runs;
    for (std::uint32_t i = 0; i < draft.size(); ++i) {
      if (runs.empty() || runs.back().key != keys[i]) {
        runs.push_back({keys[i], draft.first + i, draft.first + i, 0, 0});
      }
      Run& run = runs.back();
      run.end = draft.first + i + 1;
      if (is_work(graph_.nodes[draft.first + i])) ++run.work;
      if (says[i]) ++run.saying;
    }
    return runs;
  }

  // A scope in many small pieces among those of other scopes, such as one for all quantizers, is
  // not a piece of the network.
  void forget_scattered(std::vector<Scopes::Id>& keys) const {
    struct Stretch {
      std::uint32_t first = 0, last = 0, count = 0, run = 0, longest = 0;
    };
    std::unordered_map<Scopes::Id, Stretch> stretches;
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == Scopes::kNone) continue;
      Stretch& stretch =
          stretches.try_emplace(keys[i], Stretch{.first = i, .last = i}).first->second;
      stretch.run = i > 0 && keys[i - 1] == keys[i] ? stretch.run + 1 : 1;
      stretch.longest = std::max(stretch.longest, stretch.run);
      stretch.last = i;
      ++stretch.count;
    }
    // By place: number that begin, and number that end, before it.
    std::vector<std::uint32_t> begun(keys.size() + 1, 0), ended(keys.size() + 1, 0);
    for (const auto& [key, stretch] : stretches) {
      ++begun[stretch.first + 1];
      ++ended[stretch.last + 1];
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      begun[i + 1] += begun[i];
      ended[i + 1] += ended[i];
    }
    constexpr std::uint32_t kMinOthers = 2;
    for (Scopes::Id& key : keys) {
      if (key == Scopes::kNone || scopes_.scope(key).kind != GroupKind::kScope) continue;
      const Stretch& stretch = stretches.at(key);
      const bool is_dense = stretch.count * 3 > (stretch.last - stretch.first) * 2;
      if (is_dense || stretch.longest > kMaxAbsorbed) continue;
      const std::uint32_t begin_inside = begun[stretch.last] - begun[stretch.first + 1];
      const std::uint32_t end_inside = ended[stretch.last] - ended[stretch.first + 1];
      if (std::max(begin_inside, end_inside) >= kMinOthers) key = Scopes::kNone;
    }
  }

  // A reformat belongs to the layer it prepares data for or, where its name says so, to the layer
  // it copies from; likewise memory belongs to its writer.
  void fill(const GroupDraft& draft, std::vector<Scopes::Id>& keys) const {
    for (std::size_t i = keys.size(); i-- > 0;) {
      const std::size_t node = draft.first + i;
      if (keys[i] != Scopes::kNone || !is_reformat_[node] || is_copy_of_output_[node]) continue;
      // Memory between the reformat and its reader is passed over.
      std::size_t next = i + 1;
      while (next < keys.size() && !is_work(graph_.nodes[draft.first + next])) ++next;
      if (next < keys.size()) keys[i] = keys[next];
    }
    for (std::size_t i = 1; i < keys.size(); ++i) {
      const std::size_t node = draft.first + i;
      const bool follows = is_copy_of_output_[node] || graph_.nodes[node].kind == NodeKind::kMemory;
      if (keys[i] == Scopes::kNone && follows) keys[i] = keys[i - 1];
    }
  }

  std::vector<Run> absorbed(const std::vector<Run>& runs) const {
    std::vector<Run> kept;
    for (const Run& run : runs) {
      const bool follows_same =
          kept.size() >= 2 && run.key != Scopes::kNone && kept[kept.size() - 2].key == run.key;
      if (follows_same && is_absorbed(kept.back())) {
        const Run inner = kept.back();
        kept.pop_back();
        kept.back().end = run.end;
        kept.back().work += inner.work + run.work;
        kept.back().saying += run.saying;
      } else {
        kept.push_back(run);
      }
    }
    return kept;
  }

  bool is_absorbed(const Run& run) const {
    if (run.work > kMaxAbsorbed) return false;
    return run.key == Scopes::kNone || scopes_.scope(run.key).kind == GroupKind::kScope;
  }

  const PlanGraph& graph_;
  const Scopes& scopes_;
  std::vector<bool> is_reformat_, is_copy_of_output_;
  std::uint32_t work_count_ = 0;
  std::vector<GroupDraft> found_;
};

}  // namespace

std::vector<GroupDraft> scope_drafts(const PlanModel& model, const PlanGraph& graph,
                                     const Scopes& scopes) {
  return ScopeGroups(model, graph, scopes).run();
}

}  // namespace planex::graph
