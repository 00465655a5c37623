#include "analyze/align/sequences.h"

#include <algorithm>
#include <tuple>

namespace planex::analyze::matching {
namespace {

// An item, its occurrence number among equal items, and its position.
struct Item {
  std::uint64_t item = 0;
  std::uint32_t count = 0, index = 0;
};

std::vector<Item> counted(std::span<const std::uint64_t> sequence) {
  std::vector<Item> items;
  items.reserve(sequence.size());
  for (std::uint32_t index = 0; index < sequence.size(); ++index) {
    items.push_back({.item = sequence[index], .index = index});
  }
  std::ranges::sort(items, {}, [](const Item& it) { return std::tuple(it.item, it.index); });
  for (std::size_t at = 1; at < items.size(); ++at) {
    if (items[at].item == items[at - 1].item) items[at].count = items[at - 1].count + 1;
  }
  return items;
}

}  // namespace

std::vector<Step> longest_ascending(std::span<const Step> pairs) {
  // best[length]: the pair with the smallest second number that ends a run of that length.
  std::vector<std::uint32_t> best, before(pairs.size());
  for (std::uint32_t index = 0; index < pairs.size(); ++index) {
    const auto at = std::ranges::lower_bound(
        best, pairs[index].second, {}, [&](std::uint32_t other) { return pairs[other].second; });
    before[index] = at == best.begin() ? index : *std::prev(at);
    if (at == best.end()) {
      best.push_back(index);
    } else {
      *at = index;
    }
  }
  std::vector<Step> result(best.size());
  if (best.empty()) return result;
  std::uint32_t index = best.back();
  for (std::size_t length = best.size(); length-- > 0;) {
    result[length] = pairs[index];
    index = before[index];
  }
  return result;
}

std::vector<Step> common_unique(std::span<const std::uint64_t> a,
                                std::span<const std::uint64_t> b) {
  const auto only = [](std::span<const std::uint64_t> sequence) {
    const std::vector<Item> items = counted(sequence);
    std::vector<Item> result;
    for (std::size_t at = 0; at < items.size(); ++at) {
      const bool is_last = at + 1 == items.size() || items[at + 1].item != items[at].item;
      if (is_last && items[at].count == 0) result.push_back(items[at]);
    }
    return result;
  };
  const std::vector<Item> in_a = only(a), in_b = only(b);
  std::vector<Step> pairs;
  for (std::size_t x = 0, y = 0; x < in_a.size() && y < in_b.size();) {
    if (in_a[x].item != in_b[y].item) {
      in_a[x].item < in_b[y].item ? ++x : ++y;
    } else {
      pairs.emplace_back(in_a[x++].index, in_b[y++].index);
    }
  }
  std::ranges::sort(pairs);
  return longest_ascending(pairs);
}

std::vector<Step> common_by_count(std::span<const std::uint64_t> a,
                                  std::span<const std::uint64_t> b) {
  const std::vector<Item> in_a = counted(a), in_b = counted(b);
  const auto rank = [](const Item& it) { return std::tuple(it.item, it.count); };
  std::vector<Step> pairs;
  for (std::size_t x = 0, y = 0; x < in_a.size() && y < in_b.size();) {
    if (rank(in_a[x]) != rank(in_b[y])) {
      rank(in_a[x]) < rank(in_b[y]) ? ++x : ++y;
    } else {
      pairs.emplace_back(in_a[x++].index, in_b[y++].index);
    }
  }
  std::ranges::sort(pairs);
  return longest_ascending(pairs);
}

std::optional<std::vector<Step>> longest_common(std::span<const std::uint64_t> a,
                                                std::span<const std::uint64_t> b,
                                                std::size_t max_edits) {
  using Signed = std::int64_t;
  const auto length_a = static_cast<Signed>(a.size()), length_b = static_cast<Signed>(b.size());
  const Signed most = std::min(static_cast<Signed>(max_edits), length_a + length_b);
  // furthest[most + k]: how far in `a` the search gets on diagonal k = (index in a) - (index in b).
  std::vector<Signed> furthest(static_cast<std::size_t>(2 * most + 2), 0);
  const auto at = [&furthest, most](Signed k) -> Signed& {
    return furthest[static_cast<std::size_t>(most + k)];
  };
  // The same for each number of edits, to trace the path back.
  std::vector<std::vector<std::uint32_t>> trace;
  const auto goes_down = [&](Signed edits, Signed k, auto&& reach) {
    return k == -edits || (k != edits && reach(k - 1) < reach(k + 1));
  };
  Signed edits = 0;
  bool done = false;
  for (; edits <= most && !done; ++edits) {
    for (Signed k = -edits; k <= edits; k += 2) {
      Signed x = 0;
      if (edits > 0) {
        x = goes_down(edits, k, at) ? at(k + 1) : at(k - 1) + 1;
      }
      Signed y = x - k;
      while (x < length_a && y < length_b &&
             a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(y)]) {
        ++x;
        ++y;
      }
      at(k) = x;
      done = done || (k == length_a - length_b && x >= length_a);
    }
    std::vector<std::uint32_t>& row = trace.emplace_back();
    for (Signed k = -edits; k <= edits; k += 2) row.push_back(static_cast<std::uint32_t>(at(k)));
  }
  if (!done) return std::nullopt;

  std::vector<Step> steps;
  Signed x = length_a, y = length_b;
  for (Signed count = edits - 1; count >= 0; --count) {
    const Signed k = x - y;
    Signed start_x = 0;
    Signed before_x = 0, before_y = 0;
    if (count > 0) {
      const auto reach = [&](Signed diagonal) {
        const auto& row = trace[static_cast<std::size_t>(count - 1)];
        return static_cast<Signed>(row[static_cast<std::size_t>((diagonal + count - 1) / 2)]);
      };
      const bool down = goes_down(count, k, reach);
      const Signed before = down ? k + 1 : k - 1;
      before_x = reach(before);
      before_y = before_x - before;
      start_x = down ? before_x : before_x + 1;
    }
    for (Signed index = x; index > start_x; --index) {
      steps.emplace_back(static_cast<std::uint32_t>(index - 1),
                         static_cast<std::uint32_t>(index - 1 - k));
    }
    x = before_x;
    y = before_y;
  }
  std::ranges::reverse(steps);
  return steps;
}

}  // namespace planex::analyze::matching
