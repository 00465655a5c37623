// Exports from TensorFlow and Keras compute with channels last and put a Transpose before and
// behind each convolution. Those that meet cancel; those with additions, activations or joins in
// between cancel once these compute in the other order.
#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "clean/evaluate.h"
#include "clean/layout.h"
#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

// Models have one or two; each costs a few walks over the graph.
constexpr std::size_t kMaxPerms = 8;

bool is_unmoved(const Dims& perm) { return std::ranges::is_sorted(perm); }

// What is turned several times keeps a short name.
std::string turned_name(std::string_view name) {
  constexpr std::string_view kEnding = "_turned";
  const std::size_t end = name.rfind(kEnding);
  const bool is_turned =
      end != std::string_view::npos &&
      name.substr(end + kEnding.size()).find_first_not_of("_0123456789") == std::string_view::npos;
  return std::string(is_turned ? name.substr(0, end) : name) + std::string(kEnding);
}

// A group of nodes that are turned together.
using Group = std::vector<NodeId>;

class Turner {
 public:
  Turner(Work& work, Dims perm)
      : work_(work), draft_(work.draft), perm_(std::move(perm)), inverse_(inverse_of(perm_)) {
    for (const NodeId node : draft_.nodes()) {
      if (const auto count = free_inputs(draft_, node, perm_.size())) {
        order_.push_back(node);
        counts_.emplace(node, *count);
      }
    }
  }

  // Turns the groups in which less data is moved afterwards. True: one was.
  bool run() {
    return turn_groups(forward()) || turn_groups(backward()) || turn_groups(everything());
  }

 private:
  bool is_edge(TensorId tensor) const {
    return tensor != kNone && !draft_.is_constant(tensor) && draft_.rank(tensor) == perm_.size();
  }
  template <typename Visit>
  void each_input(NodeId node, Visit visit) const {
    for (std::size_t place = 0; place < counts_.at(node); ++place) {
      if (is_edge(draft_.input(node, place))) visit(draft_.input(node, place), place);
    }
  }
  bool is_turned_by(NodeId node, const Dims& perm) const { return perm_of(draft_, node) == perm; }

  // Nodes all of whose inputs come from such a Transpose.
  std::set<NodeId> forward() const {
    std::set<NodeId> chosen;
    for (const NodeId node : order_) {
      bool is_chosen = true;
      each_input(node, [&](TensorId input, std::size_t) {
        const NodeId maker = draft_.maker(input);
        is_chosen &= chosen.contains(maker) || is_turned_by(maker, perm_);
      });
      if (is_chosen) chosen.insert(node);
    }
    return chosen;
  }

  // Nodes all of whose outputs go to the opposite Transpose.
  std::set<NodeId> backward() const {
    std::set<NodeId> chosen;
    for (const NodeId node : order_ | std::views::reverse) {
      bool is_chosen = true;
      for (const TensorId output : draft_.outputs(node)) {
        if (output == kNone) continue;
        is_chosen &= !draft_.tensor(output).is_pinned();
        for (const Use& use : draft_.tensor(output).readers) {
          is_chosen &= chosen.contains(use.node) || is_turned_by(use.node, inverse_);
        }
      }
      if (is_chosen) chosen.insert(node);
    }
    return chosen;
  }

  std::set<NodeId> everything() const { return {order_.begin(), order_.end()}; }

  bool turn_groups(const std::set<NodeId>& chosen) {
    bool has_turned = false;
    for (const Group& group : connected(chosen)) {
      if (weight_of(group) >= 0) continue;
      turn_group(group);
      has_turned = true;
    }
    return has_turned;
  }

  // Parts that tensors connect, each in the order of the graph.
  std::vector<Group> connected(const std::set<NodeId>& chosen) const {
    std::unordered_map<NodeId, std::size_t> group_of;
    std::size_t count = 0;
    for (const NodeId start : order_) {
      if (!chosen.contains(start) || group_of.contains(start)) continue;
      std::vector<NodeId> waiting = {start};
      group_of.emplace(start, count);
      const auto reach = [&](NodeId node) {
        if (node != kNone && chosen.contains(node) && group_of.emplace(node, count).second) {
          waiting.push_back(node);
        }
      };
      while (!waiting.empty()) {
        const NodeId node = waiting.back();
        waiting.pop_back();
        each_input(node, [&](TensorId input, std::size_t) { reach(draft_.maker(input)); });
        for (const TensorId output : draft_.outputs(node)) {
          if (output == kNone) continue;
          for (const Use& use : draft_.tensor(output).readers) {
            if (reads_as_edge(use)) reach(use.node);
          }
        }
      }
      ++count;
    }
    std::vector<Group> groups(count);
    for (const NodeId node : order_) {
      const auto found = group_of.find(node);
      if (found != group_of.end()) groups[found->second].push_back(node);
    }
    return groups;
  }

  bool reads_as_edge(const Use& use) const {
    const auto found = counts_.find(use.node);
    return found != counts_.end() && use.place < found->second;
  }

  // Elements that a Transpose of the tensor moves, for as much as is known of its shape.
  std::int64_t elements(TensorId tensor) const {
    std::int64_t count = 1;
    for (const std::int64_t dim : *draft_.tensor(tensor).shape) {
      if (__builtin_mul_overflow(count, std::max<std::int64_t>(dim, 1), &count)) return count;
    }
    return count;
  }

  // By how many elements more are moved after turning the group.
  std::int64_t weight_of(const Group& group) const {
    const std::set<NodeId> inside(group.begin(), group.end());
    std::set<TensorId> seen;
    std::int64_t weight = 0;
    bool has_transpose = false;
    for (const NodeId node : group) {
      each_input(node, [&](TensorId input, std::size_t) {
        const NodeId maker = draft_.maker(input);
        if (inside.contains(maker) || !seen.insert(input).second) return;
        if (!is_turned_by(maker, perm_)) {
          weight += elements(input);
          return;
        }
        has_transpose = true;
        if (!draft_.tensor(input).is_pinned() && is_only_read_in(input, inside)) {
          weight -= elements(input);
        }
      });
      for (const TensorId output : draft_.outputs(node)) {
        if (output != kNone) weight += weight_behind(output, inside, has_transpose);
      }
    }
    return has_transpose ? weight : 0;
  }

  bool is_only_read_in(TensorId tensor, const std::set<NodeId>& inside) const {
    return std::ranges::all_of(draft_.tensor(tensor).readers, [&](const Use& use) {
      return inside.contains(use.node) && reads_as_edge(use);
    });
  }

  std::int64_t weight_behind(TensorId output, const std::set<NodeId>& inside,
                             bool& has_transpose) const {
    std::int64_t weight = 0;
    bool needs_transpose = draft_.tensor(output).is_pinned();
    for (const Use& use : draft_.tensor(output).readers) {
      if (inside.contains(use.node) && reads_as_edge(use)) continue;
      if (is_turned_by(use.node, inverse_)) {
        weight -= elements(output);
        has_transpose = true;
      } else if (!draft_.is_op(use.node, "Transpose") && !absorbs(use.node)) {
        // Another Transpose takes this one in.
        needs_transpose = true;
      }
    }
    return needs_transpose ? weight + elements(output) : weight;
  }

  // A reduction that drops the axes, after which the others are in the same order.
  bool absorbs(NodeId node) const {
    if (!draft_.op(node).starts_with("Reduce") || draft_.int_of(node, "keepdims", 1) != 0) {
      return false;
    }
    const auto axes = reduced_axes(draft_, node);
    if (!axes) return false;
    Dims left;
    for (std::size_t i = 0; i < perm_.size(); ++i) {
      if (!contains(*axes, static_cast<std::int64_t>(i))) left.push_back(perm_[i]);
    }
    return std::ranges::is_sorted(left);
  }

  void turn_group(const Group& group) {
    // The first that reads a tensor comes before all others that do.
    std::map<TensorId, TensorId> turned;
    for (const NodeId node : group) {
      work_.tell(node);
      turn(draft_, node, perm_);
      each_input(node, [&](TensorId input, std::size_t place) {
        auto found = turned.find(input);
        if (found == turned.end()) {
          const NodeId maker = draft_.maker(input);
          const TensorId source =
              is_turned_by(maker, perm_) ? draft_.input(maker, 0) : turned_back(node, input);
          found = turned.emplace(input, source).first;
        }
        draft_.set_input(node, place, found->second);
      });
      const std::vector<TensorId> outputs(draft_.outputs(node).begin(), draft_.outputs(node).end());
      for (std::size_t place = 0; place < outputs.size(); ++place) {
        const TensorId output = outputs[place];
        if (output == kNone) continue;
        const DraftTensor& old = draft_.tensor(output);
        const TensorId made =
            draft_.add_tensor(turned_name(old.name), old.type, permuted(*old.shape, inverse_));
        turned.emplace(output, made);
        draft_.set_output(node, place, made);
        const std::string name = draft_.tensor(output).name + "_Transpose";
        draft_.insert_after(
            node,
            {.op = "Transpose", .name = name, .inputs = {made}, .attributes = {{"perm", perm_}}},
            {output});
      }
    }
  }

  TensorId turned_back(NodeId before, TensorId input) {
    const DraftTensor& old = draft_.tensor(input);
    const std::string name = old.name;
    const TensorId made =
        draft_.add_tensor(turned_name(name), old.type, permuted(*old.shape, inverse_));
    draft_.insert(before,
                  {.op = "Transpose",
                   .name = name + "_Transpose",
                   .inputs = {input},
                   .attributes = {{"perm", inverse_}}},
                  {made});
    return made;
  }

  Work& work_;
  Draft& draft_;
  const Dims perm_, inverse_;
  std::vector<NodeId> order_;
  std::unordered_map<NodeId, std::size_t> counts_;
};

// Two in a row are one, or none.
bool join(Work& work, NodeId node) {
  Draft& draft = work.draft;
  const auto second = perm_of(draft, node);
  const NodeId before = second ? draft.maker(draft.input(node, 0)) : kNone;
  const auto first = perm_of(draft, before);
  if (!first || first->size() != second->size()) return false;
  const Dims perm = joined_perm(*first, *second);
  const TensorId source = draft.input(before, 0);
  std::string name = draft.name_of(node);
  if (is_unmoved(perm) && draft.bypass(node, source)) {
    work.tell(std::move(name));
    return true;
  }
  work.tell(std::move(name));
  draft.set_attribute(node, {"perm", perm});
  draft.set_input(node, 0, source);
  return true;
}

// A reduction that drops its axes reads them in another place.
bool absorb(Work& work, NodeId node) {
  Draft& draft = work.draft;
  if (!draft.op(node).starts_with("Reduce") || draft.int_of(node, "keepdims", 1) != 0) return false;
  const NodeId before = draft.maker(draft.input(node, 0));
  const auto perm = perm_of(draft, before);
  auto axes = reduced_axes(draft, node);
  if (!perm || !axes || is_beside_pairs(draft, node)) return false;
  Dims left;
  for (std::size_t i = 0; i < perm->size(); ++i) {
    if (!contains(*axes, static_cast<std::int64_t>(i))) left.push_back((*perm)[i]);
  }
  if (!std::ranges::is_sorted(left)) return false;
  for (std::int64_t& axis : *axes) axis = (*perm)[static_cast<std::size_t>(axis)];
  std::ranges::sort(*axes);
  work.tell(before);
  if (draft.has_attribute(node, "axes") || draft.input(node, 1) == kNone) {
    if (!left.empty()) draft.set_attribute(node, {"axes", *axes});
  } else {
    draft.set_input(node, 1, draft.add_ints(derived_name(draft, node, "axes"), *axes));
  }
  draft.set_input(node, 0, draft.input(before, 0));
  return true;
}

// Beside a node that only reshapes, a Transpose that moves nothing but dimensions of one element is
// a Reshape.
bool reshape(Work& work, NodeId node) {
  Draft& draft = work.draft;
  const auto perm = perm_of(draft, node);
  if (!perm || is_beside_pairs(draft, node)) return false;
  const TensorId input = draft.input(node, 0), output = draft.output(node);
  const auto& from = draft.tensor(input).shape;
  const auto& to = draft.tensor(output).shape;
  if (!from || !to || from->size() != perm->size() || contains(*to, 0) ||
      std::ranges::count(*to, -1) > 1) {
    return false;
  }
  const auto is_reshaping = [&](NodeId beside) {
    const std::string_view op = draft.is_live(beside) ? draft.op(beside) : std::string_view();
    return op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze";
  };
  if (!is_reshaping(draft.sole_reader(output)) &&
      !(is_reshaping(draft.maker(input)) && draft.sole_reader(input) == node)) {
    return false;
  }
  Dims moved;
  for (const std::int64_t axis : *perm) {
    if ((*from)[static_cast<std::size_t>(axis)] != 1) moved.push_back(axis);
  }
  if (!std::ranges::is_sorted(moved)) return false;
  work.tell(node);
  const Dims sizes = *to;
  const TensorId shape = draft.add_ints(derived_name(draft, node, "shape"), sizes);
  draft.replace(node, {.op = "Reshape", .name = {}, .inputs = {input, shape}, .attributes = {}});
  return true;
}

void cancel_transposes(Work& work) {
  Draft& draft = work.draft;
  bool has_changed = false;
  std::map<Dims, std::size_t> perms;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_live(node) || draft.op(node).empty()) continue;
    if (join(work, node) || absorb(work, node)) has_changed = true;
    if (!draft.is_live(node)) continue;
    const auto perm = perm_of(draft, node);
    if (!perm || is_unmoved(*perm) || draft.rank(draft.input(node, 0)) != perm->size()) continue;
    ++perms[*perm];
    ++perms[inverse_of(*perm)];
  }
  // Counted after what is left without a reader is gone.
  if (has_changed) return;
  std::vector<std::pair<std::size_t, Dims>> order;
  for (const auto& [perm, count] : perms) order.emplace_back(count, perm);
  std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<std::size_t, Dims>::first);
  if (order.size() > kMaxPerms) order.resize(kMaxPerms);
  for (const auto& [count, perm] : order) {
    if (Turner(work, perm).run()) return;
  }
  for (const NodeId node : draft.nodes()) {
    if (draft.is_live(node)) reshape(work, node);
  }
}

}  // namespace

const Pass passes::kTransposes{"transposes", "Transpose nodes that cancel, also through others",
                               Effect::kExact, cancel_transposes};

}  // namespace planex::clean
