// How far a layer's time can be trusted, and whether its change is more than noise.
//
// Files hold a layer's time as one to four figures, seldom as samples. What they allow is taken,
// and said: a change of a layer is never called real because nothing is known of its noise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/verdict/verdict.h"
#include "model/plan_model.h"

namespace planex::analyze {

// What the noise of a layer's time is taken from; the first that the files have.
enum class NoiseSource : std::uint8_t {
  kSpread,             // least, median and number of its samples
  kMeanAndMedian,      // they differ: a lower bound of the spread, so noise may be more
  kProfilerStep,       // one step of the profiler's timer
  kWholeMicroseconds,  // times that are cut to whole microseconds
  kUnchangedPairs,     // what layers differ by of which nothing else is different
  kNone,               // a time and nothing about it
  kNoTime,
};
std::string_view to_string(NoiseSource source);

struct LayerNoise {
  std::optional<double> time_ms;  // median, else mean
  // Standard deviation of time_ms from run to run; null where nothing tells.
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
  // b − a; null where a layer of either side has no time. A side without layers counts 0.
  std::optional<double> change_ms;
  std::optional<double> change_ratio;  // of a; null where a is 0
  std::optional<double> error_ms;      // standard deviation of change_ms
  // 95 % interval of change_ms, before others are looked at; null where the noise is not known.
  std::optional<double> low_ms, high_ms;
  // Two-sided: how likely noise alone makes such a change.
  std::optional<double> p_value;
  // The weaker of all sources.
  NoiseSource source = NoiseSource::kNoTime;
  // Set by control_false_discovery; for one change alone, p ≤ 0.05.
  Changed changed = Changed::kUnknown;
};

// Of the layers of one match (align/alignment.h): Σ b − Σ a. Where one side is empty, layers were
// added or removed, and that is a change whatever the noise.
LayerChange layer_change(std::span<const LayerNoise> a, std::span<const LayerNoise> b);

// A layer that is the same in both engines, as far as the files tell.
struct UnchangedLayer {
  double a_ms = 0, b_ms = 0;
  // Of b_ms − a_ms, as layer_change has it; null where no noise is known.
  std::optional<double> error_ms;
};

// How far the times of unchanged layers scatter around what is common to them: what all of them are
// slower or faster by is no noise. It is that of these two runs, where the error of a single layer
// is what its own samples allow.
struct UnchangedScatter {
  std::int64_t count = 0;
  double shift_ratio = 0;  // common to them, of the mean of both times
  // Standard deviations, robust ones: in ms, of the mean of both times, and in errors of the
  // layers; the last is null where no error is known.
  double scatter_ms = 0, scatter_ratio = 0;
  std::optional<double> scatter_errors;
};
// Null of fewer than six. Antisymmetric: sides swapped change the shift's sign alone. O(n log n).
std::optional<UnchangedScatter> scatter_of(std::span<const UnchangedLayer> layers);

// No interval of a change is narrower than the scatter of unchanged layers says. `mean_ms` is of
// the two times. A change with an empty side stays as it is.
void widen(LayerChange& change, double mean_ms, const UnchangedScatter& scatter);

// Sets `changed` so that of the changes that are called real no more than `rate` are noise, on
// average: Benjamini & Hochberg (1995), over those that have a p-value. O(n log n).
inline constexpr double kFalseDiscoveryRate = 0.05;
void control_false_discovery(std::span<LayerChange> changes, double rate = kFalseDiscoveryRate);

}  // namespace planex::analyze
