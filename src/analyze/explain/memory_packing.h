// Packs memories into one arena: for a picture in which each is a rectangle of its lifetime and its
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace planex::analyze {

// Live in the frames [first, last]; bytes > 0.
struct PackedLife {
  std::size_t first = 0, last = 0;
  std::int64_t bytes = 0;
};

struct Packing {
  // By life; null for those that were not placed, all of which are smaller than the placed ones.
  std::vector<std::optional<std::int64_t>> offset_bytes;
  // Of the placed ones: the end of the highest. Never less than the maximum of their bytes that are
  // live at once.
  std::int64_t height_bytes = 0;
};

inline constexpr std::size_t kMaxPackingSteps = 20'000'000;

// The greatest first (then by first frame, then as they are listed), each at the lowest place that
// is free in all its frames: "greedy by size" after Pisarchyk and Lee, Efficient Memory Management
// for Deep Neural Net Inference (2020), section 5. Engines have offsets of their own, which no file
// records. Ends after `max_steps` comparisons: the rest are small, and many. Sums must fit. Cost:
// O(n log n + max_steps), with O(n + frames) memory besides.
Packing pack_by_size(std::span<const PackedLife> lives, std::size_t frame_count,
                     std::size_t max_steps = kMaxPackingSteps);

}  // namespace planex::analyze
