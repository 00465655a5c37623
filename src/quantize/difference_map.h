// Where in a tensor the differences lie: a small picture of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace planex::quantize {

// Cells of a side, at most: 18 maps, of six tensors, add 120 kB to a report at most.
inline constexpr std::size_t kMapSide = 64;

// How a tensor lies in memory, row by row.
struct Planes {
  std::size_t channels = 0, height = 0, width = 0;
};

// The last two axes are height and width, what is before them are channels; of four axes or more
// the first is the batch, of which only its first item is looked at. Null: fewer than three axes,
// or nothing to see, as one of the two has less than two.
std::optional<Planes> planes_of(const std::vector<std::int64_t>& shape);

struct DifferenceMap {
  std::string tensor;
  std::string shown;  // "float": the magnitude; "simulated", "engine": the difference to it
  Planes planes;
  std::size_t height = 0, width = 0;  // in cells, kMapSide at most
  // What 1 in cells stands for: the largest cell is 255. 0: all are 0.
  double step = 0;
  std::vector<std::int64_t> cells;  // row by row, 0 to 255
};

// Each cell is the mean, over all channels and what lies in it, of |subject - reference|; without a
// subject, of |reference|. Both begin with as many values as the planes have.
// Null: a value is NaN or infinite. Cost: O(values).
std::optional<DifferenceMap> difference_map(std::span<const float> reference,
                                            std::span<const float> subject, const Planes& planes);

}  // namespace planex::quantize
