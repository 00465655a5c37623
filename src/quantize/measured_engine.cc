#include "quantize/measured_engine.h"

#include <algorithm>
#include <numeric>

namespace planex::quantize {

std::size_t MeasuredEngine::float_layer_count() const {
  return static_cast<std::size_t>(std::ranges::count(layers, true, &MeasuredLayer::writes_float));
}

std::int64_t MeasuredEngine::written_bytes() const {
  return std::accumulate(
      layers.begin(), layers.end(), std::int64_t{0},
      [](std::int64_t sum, const MeasuredLayer& layer) { return sum + layer.written_bytes; });
}

std::optional<double> MeasuredEngine::layers_ms() const {
  if (layers.empty()) return std::nullopt;
  double sum = 0;
  for (const MeasuredLayer& layer : layers) {
    if (!layer.time_ms) return std::nullopt;
    sum += *layer.time_ms;
  }
  return sum;
}

}  // namespace planex::quantize
