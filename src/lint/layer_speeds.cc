#include "lint/layer_speeds.h"

#include <algorithm>
#include <tuple>

namespace planex::lint {
namespace {

using graph::PortRow;
using model::LayerId;

// A bandwidth is trusted only if the layer takes clearly longer than it takes to start any layer.
constexpr double kMinFloors = 1.5;
// Two layers move the same amount if they differ by no more than this: biases, padding.
constexpr double kSameBytes = 0.1;
// Maximum number of twins to compare: engines have a few dozen of one shape, files can have any
// number.
constexpr std::size_t kMaxTwins = 64;

// Whether a layer does almost nothing but move its bytes.
bool copies(const graph::DataFlow& flow, LayerId layer) {
  const model::Family family = flow.family(layer);
  return flow.is_conversion(layer) || family == model::Family::kPool ||
         family == model::Family::kPointwise || family == model::Family::kShuffle ||
         flow.type(layer) == "Subgraph";
}

// Layers of the same work whose quartiles differ by more than this factor are not a usable measure:
// other work disturbed their times, or they differ in something that was not compared.
constexpr double kTwinsAgree = 2;

// Null if they do not agree. For an even number, the slower of the two in the middle, so that a
// saving is rather too small than too large.
std::optional<double> agreed_middle(std::vector<double>& values) {
  std::ranges::sort(values);
  const std::size_t last = values.size() - 1;
  if (values[last - last / 4] > kTwinsAgree * values[last / 4]) return std::nullopt;
  return values[values.size() / 2];
}

}  // namespace

LayerSpeeds::LayerSpeeds(const graph::DataFlow& flow) : flow_(flow) {
  find_bandwidth();
  find_candidates();
}

std::optional<double> LayerSpeeds::port_bytes(PortRow port) const {
  if (flow_.model().ports.dims.is_null(port)) return std::nullopt;
  const auto bytes = model::data_bytes(flow_.dims_of(port), flow_.type_of(port));
  return bytes && *bytes > 0 ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

std::optional<double> LayerSpeeds::bytes_of(LayerId layer) const {
  auto sum = static_cast<double>(flow_.model().layers.weight_bytes.get(layer.index()).value_or(0));
  for (const auto& side : {flow_.inputs(layer), flow_.outputs(layer)}) {
    for (const PortRow port : side) {
      const auto bytes = port_bytes(port);
      if (!bytes) return std::nullopt;
      sum += *bytes;
    }
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

void LayerSpeeds::find_bandwidth() {
  const model::PlanModel& model = flow_.model();
  for (std::size_t row = 0; row < flow_.layer_count(); ++row) {
    const auto time = model.time_ms(LayerId(row));
    if (!flow_.works(LayerId(row)) || !time || *time <= 0) continue;
    floor_ms_ = std::min(floor_ms_.value_or(*time), *time);
  }
  if (!floor_ms_) return;
  double best_copy = 0;
  for (std::size_t row = 0; row < flow_.layer_count(); ++row) {
    const LayerId layer(row);
    const auto time = model.time_ms(layer);
    if (!flow_.works(layer) || !time || *time < kMinFloors * *floor_ms_) continue;
    const auto bytes = bytes_of(layer);
    if (!bytes) continue;
    best_bytes_per_ms_ = std::max(best_bytes_per_ms_.value_or(0), *bytes / *time);
    if (copies(flow_, layer)) best_copy = std::max(best_copy, *bytes / *time);
    const auto out = flow_.outputs(layer);
    if (!flow_.is_conversion(layer) || out.empty()) continue;
    const auto bits = model::bits_per_element(flow_.type_of(out[0]));
    const auto written = port_bytes(out[0]);
    if (!model::is_quantized(flow_.type_of(out[0])) || !bits || !written) continue;
    constexpr double kBitsPerByte = 8;
    const double per_element = *time / (*written * kBitsPerByte / *bits);
    quantizing_ms_per_element_ =
        std::min(quantizing_ms_per_element_.value_or(per_element), per_element);
  }
  is_memory_limit_ = best_bytes_per_ms_ && best_copy >= kMemoryBoundRatio * *best_bytes_per_ms_;
}

std::optional<double> LayerSpeeds::narrow_bytes(LayerId layer, int bits) const {
  const model::PlanModel& model = flow_.model();
  const auto in = flow_.inputs(layer), out = flow_.outputs(layer);
  if (in.empty() || out.empty()) return std::nullopt;
  auto bytes = static_cast<double>(model.layers.weight_bytes.get(layer.index()).value_or(0));
  for (const PortRow port : {in[0], out[0]}) {
    const auto own = port_bytes(port);
    const auto own_bits = model::bits_per_element(flow_.type_of(port));
    if (!own || !own_bits) return std::nullopt;
    bytes += *own * bits / *own_bits;
  }
  return bytes;
}

double LayerSpeeds::second_inputs_ms(LayerId layer, int bits) const {
  if (!best_bytes_per_ms_) return 0;
  const auto in = flow_.inputs(layer);
  double bytes = 0;
  for (std::size_t i = 1; i < in.size(); ++i) {
    const auto own = port_bytes(in[i]);
    const auto own_bits = model::bits_per_element(flow_.type_of(in[i]));
    if (own && own_bits) bytes += *own * bits / *own_bits;
  }
  return bytes / *best_bytes_per_ms_;
}

void LayerSpeeds::find_candidates() {
  const model::PlanModel& model = flow_.model();
  for (std::size_t row = 0; row < flow_.layer_count(); ++row) {
    const LayerId layer(row);
    if (!flow_.works(layer) || !flow_.is_matrix_layer(layer)) continue;
    const auto time = model.time_ms(layer);
    const auto macs = model.layers.macs.get(row);
    if (!time || *time <= 0 || !macs || *macs <= 0) continue;
    const auto in = flow_.inputs(layer), out = flow_.outputs(layer);
    if (in.empty() || out.empty()) continue;
    const model::DType type = flow_.type_of(out[0]);
    if (!model::is_quantized(flow_.type_of(in[0])) || !model::is_quantized(type)) continue;
    const int bits = model::bits_per_element(type).value_or(8);
    const auto bytes = narrow_bytes(layer, bits);
    if (!bytes) continue;
    const double alone = *time - second_inputs_ms(layer, bits);
    candidates_.push_back({*macs, *bytes, std::max(alone, floor_ms_.value_or(0))});
  }
  std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.macs, a.bytes, a.time_ms) < std::tuple(b.macs, b.bytes, b.time_ms);
  });
}

bool LayerSpeeds::is_memory_bound(LayerId layer) const {
  const auto time = flow_.model().time_ms(layer);
  const auto bytes = bytes_of(layer);
  return is_memory_limit_ && time && *time > 0 && bytes &&
         *bytes / *time >= kMemoryBoundRatio * *best_bytes_per_ms_;
}

std::optional<double> LayerSpeeds::saved_by_bytes(LayerId layer, std::span<const PortRow> ports,
                                                  int bits) const {
  if (!is_memory_bound(layer)) return std::nullopt;
  const double total = *bytes_of(layer);
  double saved = 0;
  for (const PortRow port : ports) {
    const auto before = model::bits_per_element(flow_.type_of(port));
    const auto bytes = port_bytes(port);
    if (!before || !bytes || bits >= *before) return std::nullopt;
    saved += *bytes * (1 - static_cast<double>(bits) / *before);
  }
  // Nothing is faster than the fastest layer.
  const double time = *flow_.model().time_ms(layer);
  const double most = 1 - floor_ms_.value_or(0) / time;
  const double part = std::min(saved / total, most);
  return part > 0 ? std::optional(part) : std::nullopt;
}

std::optional<LayerSpeeds::Twins> LayerSpeeds::quantized_twins(LayerId layer) const {
  const model::PlanModel& model = flow_.model();
  const auto macs = model.layers.macs.get(layer.index());
  const auto in = flow_.inputs(layer);
  if (!macs || in.empty() || !model::is_quantized(flow_.type_of(in[0]))) return std::nullopt;
  const int bits = model::bits_per_element(flow_.type_of(in[0])).value_or(8);
  const auto bytes = narrow_bytes(layer, bits);
  if (!bytes) return std::nullopt;
  const auto before = [](const Candidate& candidate, const std::pair<std::int64_t, double>& key) {
    return std::pair(candidate.macs, candidate.bytes) < key;
  };
  const auto first = std::lower_bound(candidates_.begin(), candidates_.end(),
                                      std::pair(*macs, *bytes * (1 - kSameBytes)), before);
  const auto end = std::lower_bound(first, candidates_.end(),
                                    std::pair(*macs, *bytes * (1 + kSameBytes)), before);
  std::vector<double> times;
  for (auto twin = first; twin != end && times.size() < kMaxTwins; ++twin) {
    times.push_back(twin->time_ms);
  }
  if (times.empty()) return std::nullopt;
  const auto middle = agreed_middle(times);
  if (!middle) return std::nullopt;
  Twins twins;
  twins.count = times.size();
  twins.time_ms = *middle + second_inputs_ms(layer, bits);
  return twins;
}

}  // namespace planex::lint
