#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "graph/group_drafts.h"

namespace planex::graph {
namespace {

// A group with more than this directly in it is split.
constexpr std::size_t kMaxItems = 512;
// Inputs and outputs stay visible, unless there are this many.
constexpr std::uint32_t kMaxBindings = 64;

// A node or a group in the group that is split.
struct Item {
  std::uint32_t first = 0, end = 0;
};

class Sections {
 public:
  Sections(const PlanGraph& graph, const DraftForest& forest) : graph_(graph), forest_(forest) {}

  std::vector<GroupDraft> run() {
    const auto children = forest_.children();
    const auto count = static_cast<std::uint32_t>(graph_.nodes.size());
    std::uint32_t first = 0, end = count;
    leave_bindings(first, end);
    part({first, end}, children.back());
    for (std::size_t group = 0; group < forest_.drafts.size(); ++group) {
      part({forest_.drafts[group].first, forest_.drafts[group].end}, children[group]);
    }
    return std::move(found_);
  }

 private:
  void leave_bindings(std::uint32_t& first, std::uint32_t& end) const {
    std::uint32_t inputs = 0, outputs = 0;
    const auto is_binding = [&](std::uint32_t node) {
      return graph_.nodes[node].kind == NodeKind::kBinding;
    };
    while (inputs < end && is_binding(inputs)) ++inputs;
    while (outputs < end - inputs && is_binding(end - outputs - 1)) ++outputs;
    if (inputs <= kMaxBindings) first += inputs;
    if (outputs <= kMaxBindings) end -= outputs;
  }

  void part(const Item& whole, const std::vector<std::uint32_t>& groups) {
    std::size_t item_count = whole.end - whole.first + groups.size();
    for (const std::uint32_t group : groups) item_count -= forest_.drafts[group].size();
    if (item_count <= kMaxItems) return;
    if (crossing_.empty()) count_crossings();
    std::vector<Item> items;
    items.reserve(item_count);
    auto next = groups.begin();
    for (std::uint32_t node = whole.first; node < whole.end;) {
      const bool is_group = next != groups.end() && forest_.drafts[*next].first == node;
      const std::uint32_t end = is_group ? forest_.drafts[*next++].end : node + 1;
      items.push_back({node, end});
      node = end;
    }
    const auto usual = static_cast<std::size_t>(std::ceil(std::sqrt(items.size())));
    std::size_t number = 0;
    for (std::size_t at = 0; at < items.size();) {
      const std::size_t end = good_end(items, at, usual);
      ++number;
      if (end - at > 1) {
        found_.push_back({.kind = GroupKind::kSection,
                          .first = items[at].first,
                          .end = items[end - 1].end,
                          .name = base::format("section {}", number)});
      }
      at = end;
    }
  }

  // Cuts after about `usual` items, where the fewest edges are cut.
  std::size_t good_end(const std::vector<Item>& items, std::size_t at, std::size_t usual) const {
    const std::size_t least = at + usual - usual / 4, most = at + usual + usual / 4;
    if (most >= items.size()) return items.size();
    std::size_t best = at + usual;
    for (std::size_t end = least; end <= most; ++end) {
      if (crossing_[items[end].first] < crossing_[items[best].first]) best = end;
    }
    return best;
  }

  // By node: edges from before it to it or beyond.
  void count_crossings() {
    crossing_.assign(graph_.nodes.size() + 1, 0);
    for (const Edge& edge : graph_.edges) {
      const auto [low, high] = std::minmax({edge.from.index(), edge.to.index()});
      ++crossing_[low + 1];
      --crossing_[high + 1];
    }
    for (std::size_t i = 1; i < crossing_.size(); ++i) crossing_[i] += crossing_[i - 1];
  }

  const PlanGraph& graph_;
  const DraftForest& forest_;
  std::vector<std::int64_t> crossing_;
  std::vector<GroupDraft> found_;
};

}  // namespace

std::vector<GroupDraft> section_drafts(const PlanGraph& graph, const DraftForest& forest) {
  return Sections(graph, forest).run();
}

}  // namespace planex::graph
