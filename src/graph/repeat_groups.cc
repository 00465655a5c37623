#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "graph/group_drafts.h"

namespace planex::graph {
namespace {

constexpr std::uint32_t kMinTurns = 3;
constexpr std::uint32_t kMinPeriod = 4;
constexpr std::uint32_t kMinNodes = 16;
// Number of equal nodes in a row that suggest the start of an instance; and number of such places
// that are tried.
constexpr std::uint32_t kWindow = 6;
constexpr int kMaxTried = 8;

// Hashes of all stretches of a sequence. O(1) each.
class RollingHash {
 public:
  explicit RollingHash(std::span<const std::uint64_t> values)
      : prefix_(values.size() + 1, 0), power_(values.size() + 1, 1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      prefix_[i + 1] = prefix_[i] * kBase + values[i];
      power_[i + 1] = power_[i] * kBase;
    }
  }

  std::uint64_t of(std::size_t first, std::size_t size) const {
    return prefix_[first + size] - prefix_[first] * power_[size];
  }

 private:
  static constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15U;
  std::vector<std::uint64_t> prefix_, power_;
};

class Repeats {
 public:
  Repeats(const PlanGraph& graph, const DraftForest& forest, const Signatures& signatures)
      : graph_(graph), forest_(forest), signatures_(signatures), hash_(signatures.exact) {}

  std::vector<GroupDraft> run() {
    const auto children = forest_.children();
    const auto count = static_cast<std::uint32_t>(graph_.nodes.size());
    search_between(0, count, children.back());
    for (std::size_t group = 0; group < forest_.drafts.size(); ++group) {
      search_between(forest_.drafts[group].first, forest_.drafts[group].end, children[group]);
    }
    return std::move(found_);
  }

 private:
  void search_between(std::uint32_t first, std::uint32_t end,
                      const std::vector<std::uint32_t>& groups) {
    for (const std::uint32_t group : groups) {
      search(first, forest_.drafts[group].first);
      first = forest_.drafts[group].end;
    }
    search(first, end);
  }

  struct Repeat {
    std::uint32_t period = 0, turns = 0;
    std::uint32_t size() const { return period * turns; }
  };

  void search(std::uint32_t first, std::uint32_t end) {
    if (end < first + kMinNodes) return;
    find_again(first, end);
    for (std::uint32_t at = first; at + kMinNodes <= end;) {
      const Repeat repeat = best_at(at, first, end);
      if (repeat.turns == 0) {
        ++at;
        continue;
      }
      add(at, repeat);
      at += repeat.size();
    }
  }

  // For each place of the stretch, the next one that begins with the same nodes.
  void find_again(std::uint32_t first, std::uint32_t end) {
    again_.assign(end - first, kNoRow);
    std::unordered_map<std::uint64_t, std::uint32_t> last;
    for (std::uint32_t at = end - kWindow + 1; at-- > first;) {
      const auto [found, is_new] = last.emplace(hash_.of(at, kWindow), at);
      if (!is_new) {
        again_[at - first] = found->second;
        found->second = at;
      }
    }
  }

  Repeat best_at(std::uint32_t at, std::uint32_t first, std::uint32_t end) const {
    Repeat best;
    std::uint32_t next = again_[at - first];
    for (int tried = 0; tried < kMaxTried && next != kNoRow; ++tried, next = again_[next - first]) {
      const std::uint32_t period = next - at;
      if (period > (end - at) / kMinTurns) break;
      if (period < kMinPeriod) continue;
      const Repeat repeat{period, common(at, next, end) / period + 1};
      const bool is_enough = repeat.turns >= kMinTurns && repeat.size() >= kMinNodes;
      if (is_enough && repeat.size() > best.size()) best = repeat;
    }
    return best;
  }

  // Number of nodes from `a` on that equal those from `b` on.
  std::uint32_t common(std::uint32_t a, std::uint32_t b, std::uint32_t end) const {
    std::uint32_t low = 0, high = end - b;
    while (low < high) {
      const std::uint32_t middle = low + (high - low + 1) / 2;
      if (hash_.of(a, middle) == hash_.of(b, middle)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  void add(std::uint32_t at, const Repeat& repeat) {
    found_.push_back({.kind = GroupKind::kSeries,
                      .first = at,
                      .end = at + repeat.size(),
                      .name = base::format("{} × {} nodes", repeat.turns, repeat.period)});
    for (std::uint32_t turn = 0; turn < repeat.turns; ++turn) {
      found_.push_back({.kind = GroupKind::kRepeat,
                        .first = at + turn * repeat.period,
                        .end = at + (turn + 1) * repeat.period,
                        .name = base::format("turn {}", turn + 1)});
    }
  }

  const PlanGraph& graph_;
  const DraftForest& forest_;
  const Signatures& signatures_;
  RollingHash hash_;
  std::vector<std::uint32_t> again_;
  std::vector<GroupDraft> found_;
};

}  // namespace

std::vector<GroupDraft> repeat_drafts(const PlanGraph& graph, const DraftForest& forest,
                                      const Signatures& signatures) {
  return Repeats(graph, forest, signatures).run();
}

}  // namespace planex::graph
