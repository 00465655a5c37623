#include "quantize/layer_times.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <tuple>
#include <utility>

namespace planex::quantize {
namespace {

// How many layers another one is compared with: few, so that they are of its size.
constexpr std::size_t kComparable = 5;
// How many of nearly the same work they are chosen from, on either side.
constexpr std::ptrdiff_t kNeighbors = 16;
// Beyond this factor in work and bytes, layers can't be compared: their kernels differ.
constexpr double kAlike = 8;
constexpr double kBytesOfFloat = 4;
// A pooling or an attention can move bytes more slowly than any layer that does nothing else.
constexpr double kSlowMover = 2;
// INT8 kernels were up to this much faster than the width of the type alone makes them, as one
// instruction sums up what takes two in float: docs/design/0073.
constexpr double kBeyondWidth = 2;
// Twins that differ by more are not a usable measure: docs/design/0067.
constexpr double kAgree = 2;

double far(double a, double b) { return a > 0 && b > 0 ? std::abs(std::log(a / b)) : 0; }

// Bytes of a float for each of its values: 4, or 2 in half.
double bytes_of_value(const MeasuredLayer& layer) {
  const auto bytes = layer.float_read_bytes + layer.float_written_bytes;
  const auto values = layer.float_read_values + layer.float_written_values;
  return values > 0 ? static_cast<double>(bytes) / static_cast<double>(values) : kBytesOfFloat;
}

}  // namespace

LayerTimes::LayerTimes(const MeasuredEngine& engine) {
  for (const MeasuredLayer& layer : engine.layers) {
    if (!layer.time_ms) continue;
    const auto bytes = static_cast<double>(layer.moved_bytes.value_or(0));
    if (layer.is_product && layer.reads_quantized && layer.macs.value_or(0) > 0) {
      int8_products_.push_back(
          {.work = static_cast<double>(*layer.macs), .bytes = bytes, .ms = *layer.time_ms});
      if (!layer.writes_float && layer.written_bytes > 0) {
        twins_.push_back(
            {.macs = *layer.macs, .written = layer.written_bytes, .ms = *layer.time_ms});
      }
    }
    if (bytes <= 0) continue;
    const Rate rate{.work = bytes, .bytes = bytes, .ms = *layer.time_ms};
    if (layer.is_conversion) conversions_.push_back(rate);
    if (layer.is_conversion || layer.is_pointwise) movers_.push_back(rate);
  }
  std::ranges::sort(twins_, {},
                    [](const Twin& twin) { return std::tuple(twin.macs, twin.written, twin.ms); });
  for (auto* rates : {&int8_products_, &conversions_, &movers_}) {
    std::ranges::sort(*rates, {}, [](const Rate& rate) { return std::pair(rate.work, rate.ms); });
  }
}

// The nearest ones, by work and bytes; layers that are not similar are left out.
std::vector<LayerTimes::Rate> LayerTimes::nearest(std::span<const Rate> rates, double work,
                                                  double bytes) {
  const auto at = std::ranges::lower_bound(rates, work, {}, &Rate::work) - rates.begin();
  const auto first = std::max(at - kNeighbors, std::ptrdiff_t{0});
  const auto last = std::min(at + kNeighbors, std::ssize(rates));
  std::vector<std::pair<double, Rate>> found;
  for (auto place = first; place < last; ++place) {
    const Rate& rate = rates[static_cast<std::size_t>(place)];
    const double distance = std::hypot(far(rate.work, work), far(rate.bytes, bytes));
    if (distance <= std::log(kAlike)) found.emplace_back(distance, rate);
  }
  std::ranges::stable_sort(found, {}, &std::pair<double, Rate>::first);
  if (found.size() > kComparable) found.resize(kComparable);
  std::vector<Rate> alike;
  for (const auto& [distance, rate] : found) alike.push_back(rate);
  return alike;
}

// ms per unit of work.
TimeRange LayerTimes::ends(std::span<const Rate> rates) {
  const auto of_unit = [](const Rate& rate) { return rate.ms / rate.work; };
  const auto [fast, slow] = std::ranges::minmax(rates, {}, of_unit);
  return {of_unit(fast), of_unit(slow)};
}

std::optional<TimeRange> LayerTimes::int8_gain(const MeasuredLayer& layer) const {
  if (!layer.time_ms || layer.macs.value_or(0) <= 0) return std::nullopt;
  const auto work = static_cast<double>(*layer.macs);
  // In INT8 the layer moves the same number of values.
  const double bytes = static_cast<double>(layer.moved_bytes.value_or(0)) / bytes_of_value(layer);
  const auto alike = nearest(int8_products_, work, bytes);
  if (alike.empty()) return std::nullopt;
  const TimeRange rate = ends(alike);
  return TimeRange{*layer.time_ms - work * rate.high_ms,
                   std::max(0.0, *layer.time_ms - work * rate.low_ms)};
}

std::optional<TimeRange> LayerTimes::width_gain(const MeasuredLayer& layer) {
  if (!layer.time_ms) return std::nullopt;
  const double fastest = kBeyondWidth * std::max(bytes_of_value(layer), 1.0);
  return TimeRange{0, *layer.time_ms * (1 - 1 / fastest)};
}

std::optional<TimeRange> LayerTimes::bytes_gain(const MeasuredLayer& layer,
                                                std::int64_t saved_bytes) const {
  if (!layer.time_ms || layer.moved_bytes.value_or(0) <= 0) return std::nullopt;
  const auto saved = static_cast<double>(saved_bytes);
  double most = *layer.time_ms * std::min(saved / static_cast<double>(*layer.moved_bytes), 1.0);
  const auto alike = nearest(movers_, saved, saved);
  if (!alike.empty()) {
    const double moving = saved * ends(alike).high_ms;
    most = std::min(most, layer.is_product ? moving : kSlowMover * moving);
  }
  return TimeRange{0, most};
}

// Compares layers of the same work: as many multiply-accumulates, and as many values written. Uses
// their quartiles, so that a disturbed one does not count.
std::optional<TimeRange> LayerTimes::writing_gain(const MeasuredLayer& layer,
                                                  std::int64_t saved_bytes) const {
  const auto by_bytes = bytes_gain(layer, saved_bytes);
  if (!by_bytes || !layer.is_product || !layer.reads_quantized) return by_bytes;
  const std::pair work(layer.macs.value_or(0), layer.float_written_values);
  const auto [first, last] = std::ranges::equal_range(
      twins_, work, {}, [](const Twin& twin) { return std::pair(twin.macs, twin.written); });
  const std::span<const Twin> twins(first, last);
  if (twins.empty()) return by_bytes;
  const std::size_t quarter = (twins.size() - 1) / 4;
  const double quick = twins[quarter].ms, slow = twins[twins.size() - 1 - quarter].ms;
  if (slow > kAgree * quick) return by_bytes;
  return TimeRange{*layer.time_ms - slow, std::max(0.0, *layer.time_ms - quick)};
}

std::optional<double> LayerTimes::conversion_ms(std::int64_t moved_bytes) const {
  if (conversions_.empty()) return std::nullopt;
  const auto moved = static_cast<double>(moved_bytes);
  const auto alike = nearest(conversions_, moved, moved);
  if (!alike.empty()) return moved * ends(alike).high_ms;
  // Of another size: a larger one takes proportionally longer, a smaller one maybe just as long.
  const Rate& other =
      moved < conversions_.front().work ? conversions_.front() : conversions_.back();
  return other.ms * std::max(moved / other.work, 1.0);
}

}  // namespace planex::quantize
