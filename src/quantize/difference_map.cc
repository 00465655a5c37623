#include "quantize/difference_map.h"

#include <algorithm>
#include <cmath>

namespace planex::quantize {

std::optional<Planes> planes_of(const std::vector<std::int64_t>& shape) {
  constexpr std::size_t kMinAxes = 3;
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (shape.size() < kMinAxes) return std::nullopt;
  std::int64_t channels = 1;
  for (std::size_t axis = shape.size() > kMinAxes ? 1 : 0; axis + 2 < shape.size(); ++axis) {
    if (shape[axis] <= 0 || channels > kMost / shape[axis]) return std::nullopt;
    channels *= shape[axis];
  }
  const std::int64_t height = shape[shape.size() - 2], width = shape.back();
  if (height < 2 || width < 2) return std::nullopt;
  return Planes{.channels = static_cast<std::size_t>(channels),
                .height = static_cast<std::size_t>(height),
                .width = static_cast<std::size_t>(width)};
}

std::optional<DifferenceMap> difference_map(std::span<const float> reference,
                                            std::span<const float> subject, const Planes& planes) {
  constexpr double kLargestCell = 255;
  const std::size_t height = std::min(planes.height, kMapSide);
  const std::size_t width = std::min(planes.width, kMapSide);
  std::vector<double> sums(height * width, 0);
  std::vector<double> counts(height * width, 0);
  std::size_t at = 0;
  for (std::size_t channel = 0; channel < planes.channels; ++channel) {
    for (std::size_t y = 0; y < planes.height; ++y) {
      const std::size_t row = y * height / planes.height * width;
      for (std::size_t x = 0; x < planes.width; ++x, ++at) {
        const double own = reference[at];
        const double value = std::fabs(subject.empty() ? own : subject[at] - own);
        if (!std::isfinite(value)) return std::nullopt;
        const std::size_t cell = row + x * width / planes.width;
        sums[cell] += value;
        counts[cell] += 1;
      }
    }
  }
  double largest = 0;
  for (std::size_t cell = 0; cell < sums.size(); ++cell) {
    sums[cell] /= counts[cell];
    largest = std::max(largest, sums[cell]);
  }
  DifferenceMap map{.tensor = {},
                    .shown = {},
                    .planes = planes,
                    .height = height,
                    .width = width,
                    .step = largest / kLargestCell,
                    .cells = {}};
  map.cells.reserve(sums.size());
  for (const double mean : sums) {
    map.cells.push_back(largest > 0 ? std::llround(mean / largest * kLargestCell) : 0);
  }
  return map;
}

}  // namespace planex::quantize
