// What two sequences have in common, in order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace planex::analyze::matching {

using Step = std::pair<std::uint32_t, std::uint32_t>;  // index in one sequence, and in the other

// The longest run of pairs ascending in both numbers. `pairs` ascend in the first; no number occurs
// twice on a side. Cost: O(n log n).
std::vector<Step> longest_ascending(std::span<const Step> pairs);

// Pairs of equal items that occur only once in each sequence, ascending in both.
std::vector<Step> common_unique(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// Pairs of equal items where the k-th occurrence in one is the k-th in the other, ascending in
// both: not necessarily the longest run, but never empty if the sequences have an item in common.
std::vector<Step> common_by_count(std::span<const std::uint64_t> a,
                                  std::span<const std::uint64_t> b);

// The longest run of pairs of equal items ascending in both (Myers 1986), or nothing where more
// than `max_edits` items have no partner. Cost: O((a + b) · max_edits), and max_edits² memory.
std::optional<std::vector<Step>> longest_common(std::span<const std::uint64_t> a,
                                                std::span<const std::uint64_t> b,
                                                std::size_t max_edits);

}  // namespace planex::analyze::matching
