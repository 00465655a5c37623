#include "analyze/explain/memory_packing.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace planex::analyze {
namespace {

// Lives by their frames. A life in a frame of [first, last] either begins there or already contains
// `first`; the former are found in a list per frame, the latter on the path from the root of a
// segment tree to its leaf.
class Placed {
 public:
  Placed(std::span<const PackedLife> lives, std::size_t frame_count)
      : lives_(lives),
        leaves_(std::bit_ceil(std::max<std::size_t>(frame_count, 1))),
        covering_(2 * leaves_),
        beginning_(frame_count) {}

  void add(std::uint32_t life) {
    const PackedLife& one = lives_[life];
    beginning_[one.first].push_back(life);
    std::size_t left = one.first + leaves_, right = one.last + leaves_ + 1;
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 == 1) covering_[left++].push_back(life);
      if (right % 2 == 1) covering_[--right].push_back(life);
    }
  }

  // Appends all that share a frame with `life`. Returns the number of steps.
  std::size_t find(const PackedLife& life, std::vector<std::uint32_t>& found) const {
    std::size_t steps = 0;
    for (std::size_t node = life.first + leaves_; node > 0; node /= 2) {
      found.insert(found.end(), covering_[node].begin(), covering_[node].end());
      ++steps;
    }
    for (std::size_t frame = life.first + 1; frame <= life.last; ++frame) {
      found.insert(found.end(), beginning_[frame].begin(), beginning_[frame].end());
      ++steps;
    }
    return steps + found.size();
  }

 private:
  std::span<const PackedLife> lives_;
  std::size_t leaves_;
  std::vector<std::vector<std::uint32_t>> covering_;   // by node: in all frames below it
  std::vector<std::vector<std::uint32_t>> beginning_;  // by frame
};

// The lowest gap of that size between the placed ones; `placed` is sorted by offset.
std::int64_t lowest_gap(std::span<const std::uint32_t> placed, std::span<const PackedLife> lives,
                        const Packing& packing, std::int64_t bytes) {
  std::int64_t at = 0;
  for (const std::uint32_t other : placed) {
    const std::int64_t begin = *packing.offset_bytes[other];
    if (begin - at >= bytes) break;
    at = std::max(at, begin + lives[other].bytes);
  }
  return at;
}

}  // namespace

Packing pack_by_size(std::span<const PackedLife> lives, std::size_t frame_count,
                     std::size_t max_steps) {
  Packing packing;
  packing.offset_bytes.resize(lives.size());
  std::vector<std::uint32_t> order(lives.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(
      order, {}, [&](std::uint32_t i) { return std::tuple(-lives[i].bytes, lives[i].first, i); });
  Placed placed(lives, frame_count);
  std::vector<std::uint32_t> sharing;
  std::size_t steps = 0;
  for (const std::uint32_t life : order) {
    if (steps > max_steps) break;
    sharing.clear();
    steps += placed.find(lives[life], sharing);
    std::ranges::sort(sharing, {},
                      [&](std::uint32_t i) { return std::pair(*packing.offset_bytes[i], i); });
    const std::int64_t at = lowest_gap(sharing, lives, packing, lives[life].bytes);
    packing.offset_bytes[life] = at;
    packing.height_bytes = std::max(packing.height_bytes, at + lives[life].bytes);
    placed.add(life);
  }
  return packing;
}

}  // namespace planex::analyze
