// Speed of light: how close each layer comes to the device's maximum.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/explain/device_limits.h"
#include "analyze/timing/reconcile.h"
#include "model/judgements.h"
#include "model/plan_model.h"

namespace planex::analyze {

// What keeps a layer from being faster than its bound.
enum class SpeedLimit : std::uint8_t {
  kMemory,   // its bytes over the device's bandwidth
  kCompute,  // its operations over the device's peak
  kLaunch,   // both take less time than the fastest layer of the engine
  kUnknown,  // one of the two is not known
};
std::string_view to_string(SpeedLimit limit);

// Why a layer takes less than its bytes and operations would.
enum class FasterThanBoundReason : std::uint8_t {
  kNone,   // it does not
  kParts,  // it reads or writes only parts of its tensors: gather, slice, concatenation
  kCache,  // its inputs were still in a cache
  kRate,   // fewer multiplications than the product has (Winograd), or the peak is too low
};
std::string_view to_string(FasterThanBoundReason reason);

// How the type that a layer computes in is known.
enum class RateEvidence : std::uint8_t {
  kKernel,   // the kernel records it
  kTensors,  // from the type of its first input
  kAssumed,  // FP32 tensors of a TensorRT layer that may compute in TF32: the faster of the two
  kNone,
};
std::string_view to_string(RateEvidence evidence);

struct SpeedRow {
  model::LayerId layer;
  std::optional<double> time_ms;  // under the basis
  // Minimum that it reads and writes: footprint_bytes without the positions that a convolution's
  // strides leave out.
  std::optional<std::int64_t> bytes;
  // Minimum times of the layer: bytes / bandwidth, flops / peak, and the fastest layer's time. The
  // bound is the largest. It is null where the bytes are not known, or the operations of a layer
  // that may have many: the other bound alone would be far from what limits the layer.
  std::optional<double> memory_ms, compute_ms, launch_ms, bound_ms;
  SpeedLimit limit = SpeedLimit::kUnknown;
  std::optional<double> reached;                                           // bound_ms / time_ms
  FasterThanBoundReason faster_than_bound = FasterThanBoundReason::kNone;  // where it is above 1
  std::optional<double> headroom_ms;  // time_ms - bound_ms: time above the limit; may be negative
  // What it achieved.
  std::optional<double> bytes_per_s, flops_per_s;
  // The peak it is compared with.
  model::DType rate_type = model::DType::kNull;
  RateEvidence rate_evidence = RateEvidence::kNone;
  // The same with the best rates that layers of this engine achieved instead of the device's.
  std::optional<double> observed_bound_ms, observed_headroom_ms;
};

// Sums over layers that do work. Times close: time_ms = bound_ms + headroom_ms + unknown_bound_ms.
struct SpeedGroup {
  std::string key;
  std::int64_t count = 0;
  std::optional<double> time_ms;      // of those that have one
  std::optional<double> bound_ms;     // of those that have a time and a bound
  std::optional<double> headroom_ms;  // of the same
  double unknown_bound_ms = 0;        // time of layers without a bound
  std::optional<double> reached;      // bound_ms / (bound_ms + headroom_ms)
  // By limit.
  std::int64_t memory_count = 0, compute_count = 0, launch_count = 0, unknown_count = 0;
};

// The best of the engine's own layers.
struct BestSeen {
  double per_s = 0;  // bytes or operations
  model::LayerId layer;
  model::DType type = model::DType::kNull;  // of operations
};

struct SpeedOfLight {
  DeviceChoice device;
  TimeBasis basis = TimeBasis::kNone;
  // The engine has layer times, but they say nothing about it: no layer has one here.
  std::optional<model::NoMeasure> no_measure;
  // Inferences that ran at once when layers were timed; 1 if no file says.
  std::int64_t at_once = 1;
  // Layers that do work: by time above the limit, descending (against the device, else against the
  // best observed), then those without a time in execution order.
  std::vector<SpeedRow> rows;
  std::vector<SpeedGroup> by_type;  // by headroom_ms, then time_ms, then key
  SpeedGroup total;
  // Σ layers: total.time_ms plus the time of records that do no work.
  std::optional<double> layers_ms, others_ms;
  std::optional<BestSeen> best_bytes;
  std::vector<BestSeen> best_flops;  // by type
  // The fastest layer's time, if there are kMinForFloor layers to determine it from.
  std::optional<double> floor_ms;
  // Layers faster than their bound, and by how much in all (positive).
  std::int64_t beyond_count = 0;
  std::int64_t faster_by_parts = 0, faster_by_cache = 0, faster_by_rate = 0;  // by reason
  double beyond_ms = 0;
  // The profiler's own part of the measured times, as the reconciliation estimates it.
  std::optional<double> overhead_us_per_layer, overhead_ms;
};

// Roofline (Williams, Waterman and Patterson, "Roofline: an insightful visual performance model",
// 2009), layer by layer: bound = max(flops / peak, bytes / bandwidth, the fastest layer's time).
//
// Peaks: for layers with multiply-accumulates, that of the device's fastest units for the type,
// used or not; for others, that of its vector units. An unknown peak bounds nothing.
//
// Best observed: over layers that take at least kSeenSteps of the profiler's steps. For bandwidth,
// without those that may touch only parts of their tensors (shuffles, unknown kinds) and those
// faster than the device's memory, which a cache has served.
//
// Cost: O(layers log layers).
SpeedOfLight speed_of_light(const model::PlanModel& model, const Reconciliation& time,
                            DeviceChoice device);

inline constexpr double kSeenSteps = 5;
// No file records what it takes to start a layer. Among many layers, some do next to nothing else.
inline constexpr std::size_t kMinForFloor = 8;

}  // namespace planex::analyze
