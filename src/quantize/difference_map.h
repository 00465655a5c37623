// A small picture of where in a tensor the differences are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace planex::quantize {

// Cells per side, at most: 18 maps, of six tensors, add at most 120 kB to a report.
inline constexpr std::size_t kMapSide = 64;

// The layout of a tensor in memory, row by row.
struct Planes {
  std::size_t channels = 0, height = 0, width = 0;
};

// The last two axes are height and width, those before them are channels; with four axes or more
// the first is the batch, of which only the first item is used. Null: fewer than three axes, or
// nothing to show because height or width is less than 2.
std::optional<Planes> planes_of(const std::vector<std::int64_t>& shape);

struct DifferenceMap {
  std::string tensor;
  std::string shown;  // "float": the magnitude; "simulated", "engine": the difference from it
  Planes planes;
  std::size_t height = 0, width = 0;  // in cells, kMapSide at most
  // The value that 1 in cells stands for: the largest cell is 255. 0: all are 0.
  double step = 0;
  std::vector<std::int64_t> cells;  // row by row, 0 to 255
};

// Each cell is the mean of |subject - reference| over all channels and the elements of the cell;
// without a subject, of |reference|. Both start with as many values as the planes have. Null: a
// value is NaN or infinite. Cost: O(values).
std::optional<DifferenceMap> difference_map(std::span<const float> reference,
                                            std::span<const float> subject, const Planes& planes);

}  // namespace planex::quantize
