#include "analyze/verdict/layer_noise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyze/timing/distributions.h"
#include "analyze/timing/level_shifts.h"
#include "analyze/timing/reconcile.h"
#include "analyze/verdict/errors.h"

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

// √(π/2): the standard error of a median of normal samples, relative to that of their mean.
constexpr double kMedianError = 1.2533;
constexpr double kWholeMicrosecondMs = 0.001;

// A bound on either side that covers 95 of 100 cases, as a standard deviation.
double deviation_of_bound(double bound) { return bound / normal_quantile(0.975); }

// Number of independent samples that `count` samples are worth. Files do not record their memory;
// √n is what block averages leave of times that depend on some √n of those before.
double independent(std::optional<std::int64_t> count) {
  return count && *count > 1 ? std::sqrt(static_cast<double>(*count)) : 1;
}

// How far the minimum of n normal samples is expected below their middle, in standard deviations
// (Blom 1958).
double expected_least(double n) { return -normal_quantile((1 - 0.375) / (n + 0.25)); }

class NoiseFinder {
 public:
  NoiseFinder(const PlanModel& model, const GateOptions& options)
      : model_(model),
        run_spread_ratio_(options.assumed_run_spread_ratio.value_or(kAssumedRunSpreadRatio)) {
    if (const auto step_us = reconcile(model).resolution_us) step_ms_ = *step_us / 1000;
    if (model.engine.row_count() > 0) {
      const std::string_view producer = model.text(model.engine.producer[0]);
      is_whole_us_ = producer == "openvino" || producer == "onnxruntime";
      if (ran_on_processor(model) && !options.assumed_run_spread_ratio) {
        run_spread_ratio_ = kAssumedProcessorSpreadRatio;
      }
    }
  }

  LayerNoise noise_of(LayerId layer) const {
    LayerNoise noise;
    const auto time = model_.time_ms(layer);
    if (!time || !std::isfinite(*time) || *time < 0) return noise;
    noise.time_ms = time;
    noise.source = NoiseSource::kNone;
    double squares = 0, greatest = 0;
    const auto add = [&](NoiseSource source, double error) {
      squares += error * error;
      if (error > greatest || noise.source == NoiseSource::kNone) {
        greatest = error;
        noise.source = source;
      }
    };
    if (const auto error = error_of_spread(layer)) {
      add(NoiseSource::kSpread, *error);
    } else if (const auto skew = error_of_skew(layer)) {
      add(NoiseSource::kMeanAndMedian, *skew);
    }
    if (step_ms_ > 0) add(NoiseSource::kProfilerStep, deviation_of_bound(step_ms_));
    if (is_whole_us_) {
      add(NoiseSource::kWholeMicroseconds, deviation_of_bound(kWholeMicrosecondMs));
    }
    if (noise.source == NoiseSource::kNone) return noise;
    noise.error_ms = root_of_squares(std::sqrt(squares), run_spread_ratio_ * *time);
    return noise;
  }

 private:
  // From the lower half of the spread: spikes stretch the upper one. One sample has no spread.
  std::optional<double> error_of_spread(LayerId layer) const {
    const model::LayersTable& layers = model_.layers;
    const std::size_t row = layer.index();
    const auto least = layers.min_ms.get(row);
    const auto middle = model_.time_ms(layer);
    const auto count = layers.count.get(row);
    if (!least || !std::isfinite(*least) || *least > *middle || (count && *count < 2)) {
      return std::nullopt;
    }
    const double below = *middle - *least;
    // For an unknown number of samples: as if there were two.
    const auto n = static_cast<double>(count.value_or(2));
    return kMedianError * below / expected_least(n) / std::sqrt(independent(count));
  }

  // Mean and median are never more than a standard deviation apart (Hotelling & Solomons 1932).
  std::optional<double> error_of_skew(LayerId layer) const {
    const model::LayersTable& layers = model_.layers;
    const std::size_t row = layer.index();
    const auto mean = layers.mean_ms.get(row);
    const auto median = layers.median_ms.get(row);
    if (!mean || !median || !std::isfinite(*mean)) return std::nullopt;
    // Equal ones mean that there is no spread, or that a timer is too coarse to show it.
    if (*mean == *median) return std::nullopt;
    return kMedianError * std::abs(*mean - *median) / std::sqrt(independent(layers.count.get(row)));
  }

  const PlanModel& model_;
  double run_spread_ratio_ = 0, step_ms_ = 0;
  bool is_whole_us_ = false;
};

constexpr std::size_t kMinUnchanged = 6;

// The interval, the p-value of the change, and whether that is too small for noise.
void set_error(LayerChange& change, double error) {
  const double difference = *change.change_ms;
  const double half_width = normal_quantile(0.5 + kVerdictConfidence / 2) * error;
  change.error_ms = error;
  change.low_ms = difference - half_width;
  change.high_ms = difference + half_width;
}

void judge_change(LayerChange& change) {
  const double difference = *change.change_ms, error = *change.error_ms;
  if (error > 0) {
    change.p_value = normal_two_sided(std::abs(difference) / error);
  } else {
    change.p_value = difference == 0 ? 1 : 0;
  }
  change.changed = *change.p_value <= 1 - kVerdictConfidence ? Changed::kYes : Changed::kNo;
}

struct SideSum {
  std::optional<double> time_ms = 0.0, variance = 0.0;
};

SideSum sum_of_medians(std::span<const LayerNoise> layers, NoiseSource& source) {
  SideSum sum;
  for (const LayerNoise& layer : layers) {
    source = std::max(source, layer.source);
    if (!layer.time_ms) sum.time_ms.reset();
    if (!layer.error_ms) sum.variance.reset();
    if (sum.time_ms) *sum.time_ms += *layer.time_ms;
    if (sum.variance) *sum.variance += *layer.error_ms * *layer.error_ms;
  }
  return sum;
}

}  // namespace

std::string_view to_string(NoiseSource source) {
  switch (source) {
    case NoiseSource::kSpread:
      return "spread";
    case NoiseSource::kMeanAndMedian:
      return "mean-and-median";
    case NoiseSource::kProfilerStep:
      return "profiler-step";
    case NoiseSource::kWholeMicroseconds:
      return "whole-microseconds";
    case NoiseSource::kUnchangedPairs:
      return "unchanged-pairs";
    case NoiseSource::kNone:
      return "none";
    case NoiseSource::kNoTime:
      return "no-time";
  }
  return {};
}

std::string_view to_string(Changed changed) {
  switch (changed) {
    case Changed::kNo:
      return "no";
    case Changed::kYes:
      return "yes";
    case Changed::kUnknown:
      return "unknown";
  }
  return {};
}

LayerNoises::LayerNoises(const PlanModel& model, const GateOptions& options) {
  const NoiseFinder finder(model, options);
  const std::size_t count = model.layers.row_count();
  noises_.reserve(count);
  for (std::size_t row = 0; row < count; ++row) noises_.push_back(finder.noise_of(LayerId(row)));
}

LayerChange layer_change(std::span<const LayerNoise> a, std::span<const LayerNoise> b) {
  LayerChange change;
  if (a.empty() && b.empty()) return change;
  NoiseSource source = NoiseSource::kSpread;
  const SideSum before = sum_of_medians(a, source), after = sum_of_medians(b, source);
  change.source = source;
  if (a.empty() || b.empty()) change.changed = Changed::kYes;
  if (!before.time_ms || !after.time_ms) return change;
  const double difference = *after.time_ms - *before.time_ms;
  change.change_ms = difference;
  if (*before.time_ms > 0) change.change_ratio = *after.time_ms / *before.time_ms - 1;
  if (!before.variance || !after.variance) return change;
  set_error(change, std::sqrt(*before.variance + *after.variance));
  if (!a.empty() && !b.empty()) judge_change(change);
  return change;
}

std::optional<UnchangedScatter> scatter_of(std::span<const UnchangedLayer> layers) {
  std::vector<double> ratios;
  for (const UnchangedLayer& layer : layers) {
    const double mean = (layer.a_ms + layer.b_ms) / 2;
    if (mean > 0) ratios.push_back((layer.b_ms - layer.a_ms) / mean);
  }
  if (ratios.size() < kMinUnchanged) return std::nullopt;
  UnchangedScatter scatter;
  scatter.count = static_cast<std::int64_t>(ratios.size());
  scatter.shift_ratio = median_of(std::move(ratios));
  std::vector<double> in_ms, in_ratios, in_errors;
  for (const UnchangedLayer& layer : layers) {
    const double mean = (layer.a_ms + layer.b_ms) / 2;
    if (!(mean > 0)) continue;
    const double residual = layer.b_ms - layer.a_ms - scatter.shift_ratio * mean;
    in_ms.push_back(residual);
    in_ratios.push_back(residual / mean);
    if (layer.error_ms && *layer.error_ms > 0) in_errors.push_back(residual / *layer.error_ms);
  }
  scatter.scatter_ms = robust_deviation(in_ms, 0);
  scatter.scatter_ratio = robust_deviation(in_ratios, 0);
  if (in_errors.size() >= kMinUnchanged) {
    scatter.scatter_errors = robust_deviation(in_errors, 0);
  }
  return scatter;
}

void widen(LayerChange& change, double mean_ms, const UnchangedScatter& scatter) {
  // Without a p-value, the change comes from layers that were added or removed, or nothing is known
  // about its noise.
  if (!change.change_ms || (change.error_ms && !change.p_value)) return;
  if (change.error_ms) {
    if (scatter.scatter_errors.value_or(1) <= 1) return;
    set_error(change, *change.error_ms * *scatter.scatter_errors);
  } else {
    if (change.changed == Changed::kYes || scatter.scatter_ratio <= 0) return;
    set_error(change, scatter.scatter_ratio * mean_ms);
  }
  change.source = NoiseSource::kUnchangedPairs;
  judge_change(change);
}

void control_false_discovery(std::span<LayerChange> changes, double rate) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].p_value) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return *changes[i].p_value; });
  const auto count = static_cast<double>(order.size());
  std::size_t real = 0;
  for (std::size_t rank = order.size(); rank > 0 && real == 0; --rank) {
    const double limit = rate * static_cast<double>(rank) / count;
    if (*changes[order[rank - 1]].p_value <= limit) real = rank;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    changes[order[i]].changed = i < real ? Changed::kYes : Changed::kNo;
  }
}

}  // namespace planex::analyze
