// How far a layer's time can be trusted, and whether its change is more than noise.
//
// Files record a layer's time as one to four figures, seldom as samples. The best available source
// is used, and named: a change of a layer is never called real because nothing is known about its
// noise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/verdict/verdict.h"
#include "model/plan_model.h"

namespace planex::analyze {

// The source of the noise of a layer's time; the first that the files have.
enum class NoiseSource : std::uint8_t {
  kSpread,             // minimum, median and number of its samples
  kMeanAndMedian,      // they differ: a lower bound of the spread, so noise can be larger
  kProfilerStep,       // one step of the profiler's timer
  kWholeMicroseconds,  // times that are truncated to whole microseconds
  kUnchangedPairs,     // spread of layers that do not differ otherwise
  kNone,               // a time and nothing about it
  kNoTime,
};
std::string_view to_string(NoiseSource source);

struct LayerNoise {
  std::optional<double> time_ms;  // median, else mean
  // Standard deviation of time_ms from run to run; null where nothing shows it.
  std::optional<double> error_ms;
  NoiseSource source = NoiseSource::kNoTime;
};

// The noise of every layer of one engine. Keeps no reference to the model.
class LayerNoises {
 public:
  // Cost: O(layers).
  explicit LayerNoises(const model::PlanModel& model, const GateOptions& options = {});
  const LayerNoise& of(model::LayerId layer) const { return noises_[layer.index()]; }

 private:
  std::vector<LayerNoise> noises_;
};

enum class Changed : std::uint8_t { kNo, kYes, kUnknown };
std::string_view to_string(Changed changed);

struct LayerChange {
  // b − a; null where a layer of either side has no time. A side without layers counts as 0.
  std::optional<double> change_ms;
  std::optional<double> change_ratio;  // relative to a; null where a is 0
  std::optional<double> error_ms;      // standard deviation of change_ms
  // 95 % interval of change_ms, before correction for other layers; null where the noise is not
  // known.
  std::optional<double> low_ms, high_ms;
  // Two-sided: the probability of such a change by noise alone.
  std::optional<double> p_value;
  // The weaker of the two sources.
  NoiseSource source = NoiseSource::kNoTime;
  // Set by control_false_discovery; for a single change, p ≤ 0.05.
  Changed changed = Changed::kUnknown;
};

// For the layers of one match (align/alignment.h): Σ b − Σ a. Where one side is empty, layers were
// added or removed, and that is a change whatever the noise.
LayerChange layer_change(std::span<const LayerNoise> a, std::span<const LayerNoise> b);

// A layer that is the same in both engines, as far as the files show.
struct UnchangedLayer {
  double a_ms = 0, b_ms = 0;
  // Of b_ms − a_ms, from layer_change; null where no noise is known.
  std::optional<double> error_ms;
};

// Scatter of the times of unchanged layers around their common change: a common slow-down or
// speed-up is not noise. It is specific to these two runs, while the error of a single layer is
// what its own samples allow.
struct UnchangedScatter {
  std::int64_t count = 0;
  double shift_ratio = 0;  // common to them, relative to the mean of both times
  // Robust standard deviations: in ms, relative to the mean of both times, and in errors of the
  // layers; the last is null where no error is known.
  double scatter_ms = 0, scatter_ratio = 0;
  std::optional<double> scatter_errors;
};
// Null for fewer than six. Antisymmetric: swapping the sides only changes the sign of the shift.
// O(n log n).
std::optional<UnchangedScatter> scatter_of(std::span<const UnchangedLayer> layers);

// Widens the interval of a change to at least the scatter of unchanged layers. `mean_ms` is of the
// two times. A change with an empty side stays as it is.
void widen(LayerChange& change, double mean_ms, const UnchangedScatter& scatter);

// Sets `changed` so that, on average, at most `rate` of the changes that are called real are noise:
// Benjamini & Hochberg (1995), over those that have a p-value. O(n log n).
inline constexpr double kFalseDiscoveryRate = 0.05;
void control_false_discovery(std::span<LayerChange> changes, double rate = kFalseDiscoveryRate);

}  // namespace planex::analyze
