// The order of items within their rows, so that lines cross little: sweeps over the rows, each row
// by the mean place of its neighbours in the row before, then neighbours swap places where that
// helps; the best order is kept. Rows of one item divide the picture into independent regions, most
// of which need only one pass.
//
// Source: Sugiyama, Tagawa, Toda 1981; Gansner, Koutsofios, North, Vo 1993.
#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/layout/crossings.h"

namespace planex::graph::layout {

namespace {

// Initial orders: depth first, so that connected items are close together. kSkipsLeft: lines that
// skip ranks at the left of everything, branches at the right.
enum class Start : std::uint8_t { kFromTop, kSkipsLeft, kFromTopReversed, kFromBottom };

// Where all lines that leave a frame continue at known places, their order follows from that.
bool has_given_order(const Part& part) {
  return std::ranges::all_of(part.rows[part.row_count - 1], [&](Index item) {
    return part.is_node(item) && part.graph.nodes[item].kind == NodeKind::kOut &&
           !std::isnan(part.graph.nodes[item].goes_on_at);
  });
}

std::vector<Index> depth_first(const Part& part, Start start) {
  const bool is_down = start != Start::kFromBottom;
  const Lists& next_of = is_down ? part.below : part.above;
  const Lists& roots_have_no = is_down ? part.above : part.below;
  std::vector<Index> next(part.rows.first.begin(), part.rows.first.end() - 1);
  std::vector<bool> is_placed(part.items.size(), false);
  std::vector<Index> order(part.items.size());
  std::vector<std::pair<Index, Index>> stack;  // an item, and how many of its segments were taken
  const auto place = [&](Index item) {
    is_placed[item] = true;
    order[next[part.items[item].row]++] = item;
    stack.emplace_back(item, 0);
  };
  std::vector<Index> roots;
  for (const Index item : part.rows.values) {
    if (roots_have_no[item].empty()) roots.push_back(item);
  }
  std::ranges::stable_sort(roots, {}, [&](Index item) {
    const Item& root = part.items[item];
    return std::pair(is_down ? root.row : part.row_count - root.row, !root.is_trunk);
  });
  for (const Index root : roots) {
    if (is_placed[root]) continue;
    place(root);
    while (!stack.empty()) {
      auto& [item, taken] = stack.back();
      const auto segments = next_of[item];
      if (taken == segments.size()) {
        stack.pop_back();
        continue;
      }
      const bool is_reversed = start == Start::kFromTopReversed;
      const Index segment = segments[is_reversed ? segments.size() - 1 - taken : taken];
      ++taken;
      const Index other = is_down ? part.segments[segment].lower : part.segments[segment].upper;
      if (!is_placed[other]) place(other);
    }
  }
  if (start == Start::kSkipsLeft) {
    for (Index row = 0; row < part.row_count; ++row) {
      const std::size_t first = part.rows.first[row];
      std::ranges::stable_sort(std::span(order).subspan(first, part.rows.first[row + 1] - first),
                               {}, [&](Index item) { return !part.items[item].is_skip; });
    }
  }
  if (has_given_order(part)) {
    const auto last = std::span(order).subspan(part.rows.first[part.row_count - 1]);
    std::ranges::stable_sort(last, {},
                             [&](Index item) { return part.graph.nodes[item].goes_on_at; });
  }
  return order;
}

class Orderer {
 public:
  Orderer(Part& part, Crossings& crossings)
      : part_(part),
        crossings_(crossings),
        row_end_(part.row_count - (has_given_order(part) ? 1 : 0)) {}

  void run() {
    struct Region {
      Index first;
      Index last;
    };
    std::vector<Region> regions;
    std::size_t total = 0;
    Index first = 0;
    for (Index row = 1; row < part_.row_count; ++row) {
      if (part_.rows[row].size() > 1 && row + 1 < part_.row_count) continue;
      if (crossings_.count(first, row) > 0) {
        regions.push_back({first, row});
        total += size_of(first, row);
      }
      first = row;
    }
    budget_ = kWork + kWorkPerSize * total;
    for (const Region& region : regions) {
      const std::size_t size = size_of(region.first, region.last);
      order_region(region.first, region.last, size, total);
      total -= size;
    }
  }

 private:
  std::size_t size_of(Index first, Index last) const {
    std::size_t size = 0;
    for (Index row = first; row <= last; ++row) {
      for (const Index item : part_.rows[row]) size += 1 + part_.below[item].size();
    }
    return size;
  }

  // `total`: the size of this and all later regions. One can take more than its share of the
  // remaining work, since most need less.
  void order_region(Index first, Index last, std::size_t size, std::size_t total) {
    first_ = first;
    last_ = last;
    size_ = size;
    const double share =
        static_cast<double>(budget_) * static_cast<double>(size) / static_cast<double>(total);
    const std::size_t most = std::min(budget_, static_cast<std::size_t>(kGreed * share));
    allowance_ = std::max(most, kMinSweeps * size);
    const std::size_t before = allowance_;
    best_ = crossings_.count(first, last);
    keep();
    sweep();
    for (const Start start : {Start::kSkipsLeft, Start::kFromTopReversed, Start::kFromBottom}) {
      if (best_ == 0 || allowance_ < size) break;
      restore(start_order(start));
      take_if_better();
      sweep();
    }
    restore(kept_);
    budget_ -= std::min(budget_, before - allowance_);
  }

  bool spend(std::size_t work) {
    if (allowance_ < work) return false;
    allowance_ -= work;
    return true;
  }

  void sweep() {
    std::size_t in_vain = 0;
    for (std::size_t i = 0; i < kMaxSweeps && best_ > 0 && in_vain < kMaxInVain; ++i) {
      if (!spend(size_)) return;
      if (i % 2 == 0) {
        for (Index row = first_ + 1; row <= last_; ++row) sort_row(row, Side::kAbove, i);
      } else {
        for (Index row = last_; row > first_; --row) sort_row(row - 1, Side::kBelow, i);
      }
      exchange_neighbours();
      in_vain = take_if_better() ? 0 : in_vain + 1;
    }
  }

  bool take_if_better() {
    const std::uint64_t now = crossings_.count(first_, last_);
    if (now >= best_) return false;
    best_ = now;
    keep();
    return true;
  }

  void keep() {
    kept_.assign(part_.rows.values.begin() + part_.rows.first[first_],
                 part_.rows.values.begin() + part_.rows.first[last_ + 1]);
  }
  void restore(std::span<const Index> order) {
    std::ranges::copy(order, part_.rows.values.begin() + part_.rows.first[first_]);
    for (Index row = first_; row <= last_; ++row) crossings_.number(row);
  }

  // For the current region.
  std::span<const Index> start_order(Start start) {
    std::vector<Index>& order = starts_[static_cast<std::size_t>(start)];
    if (order.empty()) order = depth_first(part_, start);
    return std::span(order).subspan(part_.rows.first[first_],
                                    part_.rows.first[last_ + 1] - part_.rows.first[first_]);
  }

  // Sorts those that have neighbours; the others keep their places.
  void sort_row(Index row, Side side, std::size_t sweep) {
    const auto items = part_.rows.mutable_list(row);
    if (items.size() < 2 || row >= row_end_) return;
    keyed_.clear();
    for (const Index item : items) {
      if (const double mean = crossings_.mean_end(item, side); mean >= 0) {
        keyed_.emplace_back(mean, item);
      }
    }
    // Every other pair of sweeps reverses equal items, which frees what got stuck.
    if (sweep % 4 >= 2) std::ranges::reverse(keyed_);
    std::ranges::stable_sort(keyed_, {}, &std::pair<double, Index>::first);
    const bool is_full = keyed_.size() == items.size();
    std::size_t next = 0;
    for (Index& item : items) {
      if (is_full || crossings_.has_ends(item, side)) item = keyed_[next++].second;
    }
    crossings_.number(row);
  }

  void exchange_neighbours() {
    for (std::size_t round = 0; round < kMaxRounds && spend(size_); ++round) {
      bool has_changed = false;
      for (Index row = first_; row <= last_ && row < row_end_; ++row) {
        has_changed = exchange_neighbours(row) || has_changed;
      }
      if (!has_changed) return;
    }
  }

  bool exchange_neighbours(Index row) {
    const auto items = part_.rows.mutable_list(row);
    bool has_changed = false;
    for (std::size_t i = 1; i < items.size(); ++i) {
      if (gain(items[i - 1], items[i]) <= 0) continue;
      std::swap(items[i - 1], items[i]);
      has_changed = true;
    }
    if (has_changed) crossings_.number(row);
    return has_changed;
  }

  // Crossings that disappear if two neighbours of a row swap places.
  std::int64_t gain(Index left, Index right) {
    std::int64_t sum = 0;
    for (const Side side : {Side::kAbove, Side::kBelow}) {
      crossings_.other_ends(left, side, left_ends_);
      if (left_ends_.empty()) continue;
      crossings_.other_ends(right, side, right_ends_);
      if (right_ends_.empty()) continue;
      if (left_ends_.size() * right_ends_.size() <= kFewPairs) {
        for (const Index a : left_ends_) {
          for (const Index b : right_ends_) sum += a > b ? 1 : a < b ? -1 : 0;
        }
        continue;
      }
      sum += pairs_in_order(right_ends_, left_ends_) - pairs_in_order(left_ends_, right_ends_);
    }
    return sum;
  }

  // Pairs of one of a and one of b where that of a is smaller.
  static std::int64_t pairs_in_order(std::vector<Index>& a, std::vector<Index>& b) {
    std::ranges::sort(a);
    std::ranges::sort(b);
    std::int64_t pairs = 0;
    std::size_t less = 0;
    for (const Index end : b) {
      while (less < a.size() && a[less] < end) ++less;
      pairs += static_cast<std::int64_t>(less);
    }
    return pairs;
  }

  // Items and segments visited in all sweeps: enough to try everything on a few thousand, and a few
  // sweeps on any number.
  static constexpr std::size_t kWork = 1'000'000;
  static constexpr std::size_t kWorkPerSize = 4;
  static constexpr std::size_t kMinSweeps = 3;
  static constexpr double kGreed = 8;
  static constexpr std::size_t kMaxSweeps = 24;
  static constexpr std::size_t kMaxInVain = 6;
  static constexpr std::size_t kMaxRounds = 8;
  // Up to this many are compared one by one, more are sorted.
  static constexpr std::size_t kFewPairs = 16;

  Part& part_;
  Crossings& crossings_;
  // The first row that keeps its order.
  Index row_end_;
  std::size_t budget_ = 0;
  // The current region: rows, size, remaining work, the best order so far.
  Index first_ = 0;
  Index last_ = 0;
  std::size_t size_ = 0;
  std::size_t allowance_ = 0;
  std::uint64_t best_ = 0;
  std::vector<Index> kept_;
  std::vector<Index> starts_[4];
  std::vector<std::pair<double, Index>> keyed_;
  std::vector<Index> left_ends_;
  std::vector<Index> right_ends_;
};

}  // namespace

void order_rows(Part& part) {
  part.rows =
      lists_by(part.row_count, part.items.size(), [&](std::size_t i) { return part.items[i].row; });
  part.rows.values = depth_first(part, Start::kFromTop);
  part.position.resize(part.items.size());
  Crossings crossings(part);
  Orderer(part, crossings).run();
}

}  // namespace planex::graph::layout
