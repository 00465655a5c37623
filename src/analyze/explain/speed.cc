#include "analyze/explain/speed.h"
#include "analyze/work/sums.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

#include "analyze/explain/windows.h"
#include "analyze/summary/headline.h"
#include "analyze/work/branches.h"
#include "analyze/work/shapes.h"
#include "analyze/work/work.h"
#include "base/checked.h"

namespace planex::analyze {
namespace {

using model::DType;
using model::Family;
using model::LayerId;
using model::PlanModel;

constexpr double kMsPerSecond = 1e3;
constexpr std::size_t kTypeCount = static_cast<std::size_t>(DType::kNull);

std::optional<double> per(std::optional<double> amount, std::optional<double> divisor) {
  return amount && divisor && *divisor > 0 ? std::optional(*amount / *divisor) : std::nullopt;
}

std::optional<double> real(std::optional<std::int64_t> value) {
  return value && *value >= 0 ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<double> greater(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::max(*a, *b);
}

// Unsigned and signed integers are multiplied by the same units.
DType unit_type(DType type) { return type == DType::kUint8 ? DType::kInt8 : type; }

bool is_tensorrt(const PlanModel& model) {
  return model.text(model.engine.producer[0]).starts_with("tensorrt");
}

class SpeedReader {
 public:
  SpeedReader(const PlanModel& model, const Reconciliation& time, DeviceChoice device)
      : model_(model), time_(time) {
    result_.device = std::move(device);
    if (time.basis != TimeBasis::kNone) result_.no_measure = no_measure(model, time);
    if (result_.no_measure) return;
    result_.basis = time.basis;
    result_.layers_ms = time.layers_ms();
    result_.others_ms = time.others_ms();
  }

  SpeedOfLight read() {
    find_unread_bytes();
    find_floor();
    result_.rows.reserve(model_.layers.row_count());
    // A layer that did not run has no limit to compare with.
    const Branches branches(model_);
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      if (model_.does_work(LayerId(row)) && branches.may_run(row)) {
        result_.rows.push_back(row_of(row));
      }
    }
    find_best();
    for (SpeedRow& row : result_.rows) hold_against_best(row);
    add_up();
    rank();
    return std::move(result_);
  }

 private:
  // A convolution reads no more of an input's positions than its outputs have windows: with a
  // kernel smaller than its stride, it skips the others.
  void find_unread_bytes() {
    for (const ConvolutionWindow& window : convolution_windows(model_)) {
      const std::size_t layer = window.layer.index();
      // What is pooled or scaled after it has other positions than the convolution's result.
      const std::string_view type = model_.text(model_.layers.type[layer]);
      if (type != "Convolution" && !type.ends_with("Conv") && type != "correlation") continue;
      if (const auto bytes = unread_bytes(window)) unread_bytes_.emplace(layer, *bytes);
    }
  }

  std::optional<std::int64_t> unread_bytes(const ConvolutionWindow& window) const {
    std::optional<std::size_t> input, output;
    const model::RowRange rows = model_.ports_of(window.layer);
    for (std::size_t row = rows.first; row < rows.end(); ++row) {
      const model::Direction direction = model_.ports.direction[row];
      if (direction == model::Direction::kInput && !input) input = row;
      if (direction == model::Direction::kOutput && !output) output = row;
    }
    if (!input || !output || model_.ports.dims.is_null(*input) ||
        model_.ports.dims.is_null(*output)) {
      return std::nullopt;
    }
    const auto in = model_.ports.dims[*input], out = model_.ports.dims[*output];
    const auto bytes = model_.ports.data_bytes.get(*input);
    if (!bytes || in.size() != out.size() || in.size() != window.kernel.size() + kSpatialAxis) {
      return std::nullopt;
    }
    double part = 1;
    for (std::size_t i = 0; i < window.kernel.size(); ++i) {
      const std::int64_t there = in[i + kSpatialAxis];
      const auto read = (base::CheckedInt(out[i + kSpatialAxis]) * window.kernel[i]).value();
      if (there < 1 || !read || *read < 1) return std::nullopt;
      part *= std::min(1.0, static_cast<double>(*read) / static_cast<double>(there));
    }
    return static_cast<std::int64_t>(static_cast<double>(*bytes) * (1 - part));
  }

  void find_floor() {
    std::size_t count = 0;
    std::optional<double> least;
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const auto time = layer_time(model_, row, result_.basis);
      if (!model_.does_work(LayerId(row)) || !time || *time <= 0) continue;
      ++count;
      least = std::min(least.value_or(*time), *time);
    }
    if (count >= kMinForFloor) result_.floor_ms = least;
  }

  // Whether the layer may multiply more than the files show.
  bool may_hide_work(std::size_t layer) const {
    if (!model_.layers.flops.is_null(layer)) return false;
    switch (model_.layers.family[layer]) {
      case Family::kReformat:
      case Family::kShuffle:
      case Family::kPool:
      case Family::kPointwise:
      case Family::kNorm:
        return false;
      default:
        return named_product(model_.text(model_.layers.name[layer])) != NamedProduct::kNone;
    }
  }

  std::optional<std::int64_t> bytes_of(std::size_t layer) const {
    const auto bytes = model_.layers.footprint_bytes.get(layer);
    const auto unread = unread_bytes_.find(layer);
    return bytes && unread != unread_bytes_.end() && unread->second < *bytes
               ? *bytes - unread->second
               : bytes;
  }

  void set_bound(std::size_t layer, bool multiplies, SpeedRow& row) const {
    const bool is_known = row.memory_ms && !may_hide_work(layer) && (row.compute_ms || !multiplies);
    if (!is_known) return;
    row.bound_ms = greater(row.memory_ms, row.compute_ms);
    row.limit = row.memory_ms == row.bound_ms ? SpeedLimit::kMemory : SpeedLimit::kCompute;
    if (!result_.floor_ms || row.time_ms.value_or(0) < *result_.floor_ms) return;
    row.launch_ms = result_.floor_ms;
    if (*row.launch_ms > *row.bound_ms) {
      row.bound_ms = row.launch_ms;
      row.limit = SpeedLimit::kLaunch;
    }
  }

  FasterThanBoundReason reason_of(const SpeedRow& row) const {
    if (row.reached.value_or(0) <= 1) return FasterThanBoundReason::kNone;
    if (row.limit == SpeedLimit::kCompute) return FasterThanBoundReason::kRate;
    return model_.layers.family[row.layer.index()] == Family::kShuffle
               ? FasterThanBoundReason::kParts
               : FasterThanBoundReason::kCache;
  }

  SpeedRow row_of(std::size_t layer) const {
    const auto& layers = model_.layers;
    SpeedRow row;
    row.layer = LayerId(layer);
    row.time_ms = layer_time(model_, layer, result_.basis);
    row.bytes = bytes_of(layer);
    const auto bytes = real(row.bytes);
    const auto flops = real(layers.flops.get(layer));
    const bool multiplies = layers.macs.get(layer).value_or(0) > 0;
    set_rate_type(layer, multiplies, row);
    if (const auto& limits = result_.device.limits) {
      const auto memory_s = per(bytes, limits->bytes_per_s);
      const auto compute_s = per(flops, peak(*limits, row, multiplies));
      if (memory_s) row.memory_ms = *memory_s * kMsPerSecond;
      if (compute_s) row.compute_ms = *compute_s * kMsPerSecond;
      set_bound(layer, multiplies, row);
    }
    row.reached = per(row.bound_ms, row.time_ms);
    row.faster_than_bound = reason_of(row);
    if (row.bound_ms && row.time_ms) row.headroom_ms = *row.time_ms - *row.bound_ms;
    if (row.time_ms && *row.time_ms > 0) {
      const double seconds = *row.time_ms / kMsPerSecond;
      row.bytes_per_s = per(bytes, seconds);
      row.flops_per_s = per(flops, seconds);
    }
    return row;
  }

  void set_rate_type(std::size_t layer, bool multiplies, SpeedRow& row) const {
    const DType computed = model_.layers.compute_precision[layer];
    const DType stored = model_.layers.precision[layer];
    if (computed != DType::kNull) {
      row.rate_type = unit_type(computed);
      row.rate_evidence = RateEvidence::kKernel;
    } else if (stored != DType::kNull) {
      const bool may_be_tf32 = stored == DType::kFp32 && multiplies && is_tensorrt(model_);
      row.rate_type = may_be_tf32 && has_tf32() ? DType::kTf32 : unit_type(stored);
      row.rate_evidence = row.rate_type == DType::kTf32 && stored == DType::kFp32
                              ? RateEvidence::kAssumed
                              : RateEvidence::kTensors;
    }
  }

  bool has_tf32() const {
    const auto& limits = result_.device.limits;
    return limits && limits->matrix_flops_per_s.of(DType::kTf32);
  }

  static std::optional<double> peak(const DeviceLimits& limits, const SpeedRow& row,
                                    bool multiplies) {
    const auto vector = limits.vector_flops_per_s.of(row.rate_type);
    if (!multiplies) return vector;
    const auto matrix = limits.matrix_flops_per_s.of(row.rate_type);
    // On some boards FP32 is no slower than TF32; the assumed rate must remain an upper bound.
    const auto plain = row.rate_evidence == RateEvidence::kAssumed
                           ? limits.vector_flops_per_s.of(DType::kFp32)
                           : std::nullopt;
    return greater(greater(matrix, vector), plain);
  }

  void find_best() {
    std::array<std::optional<BestSeen>, kTypeCount> flops;
    const double min_ms = time_.resolution_us.value_or(0) / 1e3 * kSeenSteps;
    for (const SpeedRow& row : result_.rows) {
      if (row.time_ms.value_or(0) < min_ms) continue;
      auto& bytes = result_.best_bytes;
      if (row.bytes_per_s && *row.bytes_per_s > (bytes ? bytes->per_s : 0) && shows_memory(row)) {
        bytes = {*row.bytes_per_s, row.layer, DType::kNull};
      }
      if (!row.flops_per_s || row.rate_type == DType::kNull) continue;
      auto& best = flops[static_cast<std::size_t>(row.rate_type)];
      if (*row.flops_per_s > (best ? best->per_s : 0)) {
        best = {*row.flops_per_s, row.layer, row.rate_type};
      }
    }
    for (const auto& best : flops) {
      if (best) result_.best_flops.push_back(*best);
    }
  }

  // Whether the bytes of its tensors went through memory, as far as can be determined.
  bool shows_memory(const SpeedRow& row) const {
    switch (model_.layers.family[row.layer.index()]) {
      case Family::kConvolution:
      case Family::kGemm:
      case Family::kNorm:
      case Family::kOpaque:
      case Family::kPointwise:
      case Family::kPool:
      case Family::kReformat:
        break;
      default:  // shuffles may read parts of their tensors
        return false;
    }
    const auto& limits = result_.device.limits;
    return !limits || !limits->bytes_per_s || *row.bytes_per_s <= *limits->bytes_per_s;
  }

  void hold_against_best(SpeedRow& row) const {
    const auto bytes = real(row.bytes);
    const auto flops = real(model_.layers.flops.get(row.layer.index()));
    if (!bytes || may_hide_work(row.layer.index())) return;
    const auto best = std::ranges::find(result_.best_flops, row.rate_type, &BestSeen::type);
    const auto memory_s = result_.best_bytes ? per(bytes, result_.best_bytes->per_s) : std::nullopt;
    const auto compute_s =
        best != result_.best_flops.end() ? per(flops, best->per_s) : std::nullopt;
    const auto seconds = greater(memory_s, compute_s);
    if (!seconds) return;
    row.observed_bound_ms = *seconds * kMsPerSecond;
    if (result_.floor_ms && row.time_ms.value_or(0) >= *result_.floor_ms) {
      row.observed_bound_ms = greater(row.observed_bound_ms, result_.floor_ms);
    }
    if (row.time_ms) row.observed_headroom_ms = *row.time_ms - *row.observed_bound_ms;
  }

  static void add(const SpeedRow& row, SpeedGroup& group) {
    ++group.count;
    add_to(group.time_ms, row.time_ms);
    switch (row.limit) {
      case SpeedLimit::kMemory:
        ++group.memory_count;
        break;
      case SpeedLimit::kCompute:
        ++group.compute_count;
        break;
      case SpeedLimit::kLaunch:
        ++group.launch_count;
        break;
      case SpeedLimit::kUnknown:
        ++group.unknown_count;
        break;
    }
    if (!row.time_ms) return;
    if (row.bound_ms) {
      add_to(group.bound_ms, row.bound_ms);
      add_to(group.headroom_ms, row.headroom_ms);
    } else {
      group.unknown_bound_ms += *row.time_ms;
    }
  }

  static void finish(SpeedGroup& group) {
    if (!group.bound_ms) return;
    group.reached = per(group.bound_ms, *group.bound_ms + *group.headroom_ms);
  }

  void add_up() {
    std::unordered_map<std::string_view, std::size_t> group_of_type;
    std::int64_t timed = 0;
    for (const SpeedRow& row : result_.rows) {
      const std::string_view type = model_.text(model_.layers.type[row.layer.index()]);
      const auto [entry, is_new] = group_of_type.try_emplace(type, result_.by_type.size());
      if (is_new) result_.by_type.emplace_back().key = type;
      add(row, result_.by_type[entry->second]);
      add(row, result_.total);
      timed += row.time_ms ? 1 : 0;
      if (row.headroom_ms.value_or(0) < 0) {
        ++result_.beyond_count;
        result_.faster_by_parts += row.faster_than_bound == FasterThanBoundReason::kParts ? 1 : 0;
        result_.faster_by_cache += row.faster_than_bound == FasterThanBoundReason::kCache ? 1 : 0;
        result_.faster_by_rate += row.faster_than_bound == FasterThanBoundReason::kRate ? 1 : 0;
        result_.beyond_ms -= *row.headroom_ms;
      }
    }
    for (SpeedGroup& group : result_.by_type) finish(group);
    finish(result_.total);
    if (!result_.no_measure) result_.overhead_us_per_layer = time_.overhead_us_per_layer;
    if (result_.overhead_us_per_layer) {
      result_.overhead_ms = *result_.overhead_us_per_layer / 1e3 * static_cast<double>(timed);
    }
  }

  void rank() {
    constexpr double kMin = std::numeric_limits<double>::lowest();
    const bool has_bounds = result_.total.bound_ms.has_value();
    const auto worth = [&](const SpeedRow& row) {
      return (has_bounds ? row.headroom_ms : row.observed_headroom_ms).value_or(kMin);
    };
    std::ranges::stable_sort(result_.rows, std::ranges::greater(), worth);
    std::ranges::stable_sort(result_.by_type, [&](const SpeedGroup& a, const SpeedGroup& b) {
      const auto figures = [&](const SpeedGroup& group) {
        return std::pair(group.headroom_ms.value_or(kMin), group.time_ms.value_or(kMin));
      };
      return figures(a) != figures(b) ? figures(a) > figures(b) : a.key < b.key;
    });
  }

  const PlanModel& model_;
  const Reconciliation& time_;
  std::unordered_map<std::size_t, std::int64_t> unread_bytes_;  // by layer
  SpeedOfLight result_;
};

}  // namespace

std::string_view to_string(SpeedLimit limit) {
  switch (limit) {
    case SpeedLimit::kMemory:
      return "memory";
    case SpeedLimit::kCompute:
      return "compute";
    case SpeedLimit::kLaunch:
      return "launch";
    case SpeedLimit::kUnknown:
      break;
  }
  return "";
}

std::string_view to_string(FasterThanBoundReason reason) {
  switch (reason) {
    case FasterThanBoundReason::kParts:
      return "parts";
    case FasterThanBoundReason::kCache:
      return "cache";
    case FasterThanBoundReason::kRate:
      return "rate";
    case FasterThanBoundReason::kNone:
      break;
  }
  return "";
}

std::string_view to_string(RateEvidence evidence) {
  switch (evidence) {
    case RateEvidence::kKernel:
      return "kernel";
    case RateEvidence::kTensors:
      return "tensors";
    case RateEvidence::kAssumed:
      return "assumed";
    case RateEvidence::kNone:
      break;
  }
  return "";
}

SpeedOfLight speed_of_light(const PlanModel& model, const Reconciliation& time,
                            DeviceChoice device) {
  return SpeedReader(model, time, std::move(device)).read();
}

}  // namespace planex::analyze
