// Reduces one run to the levels of its samples.
#include <algorithm>
#include <array>
#include <cmath>

#include "analyze/timing/doubtful_times.h"
#include "analyze/timing/level_shifts.h"
#include "analyze/timing/measured_profile.h"
#include "analyze/timing/timer_step.h"
#include "analyze/timing/two_modes.h"
#include "analyze/verdict/cpu_time.h"
#include "analyze/verdict/median_interval.h"
#include "analyze/verdict/verdict.h"
#include "base/statistics.h"

namespace planex::analyze {
namespace {

// A drift is not a straight line, so its ends are those of the line, or of the parts beyond them.
constexpr std::size_t kDriftParts = 10;
// Levels that change at least this often within a run average out, as noise with a long memory.
constexpr std::size_t kRecurringPhases = 6;
// Two levels that are left and revisited at least this often are modes.
constexpr std::size_t kReturningPhases = 4;
// A fast start of at least this share is not an accident.
constexpr double kMinQuickShare = 0.02;

std::span<const double> samples_of(const TimingSeries& series, const SampleRange& range) {
  const auto first = std::ranges::lower_bound(series.positions, range.first);
  const auto end = std::ranges::upper_bound(series.positions, range.last);
  return std::span(series.ms).subspan(
      static_cast<std::size_t>(first - series.positions.begin()),
      static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, end - first)));
}

class Reducer {
 public:
  Reducer(const TimingSeries& series, const SteadyState& state, MeasuredRun& run)
      : series_(series), state_(state), run_(run) {}

  void reduce() {
    run_.steadiness = state_.verdict;
    std::size_t phases = 0;
    SampleRange rest;
    for (const TimingPhase& phase : state_.phases) {
      if (phase.is_trusted) trusted_ = samples_of(series_, phase.range);
      if (phase.is_warm_up) continue;
      if (phases == 0) rest.first = phase.range.first;
      rest.last = phase.range.last;
      ++phases;
    }
    std::size_t min_block = 1;
    const bool is_recurring = phases >= kRecurringPhases;
    if (is_recurring) {
      trusted_ = samples_of(series_, rest);
      min_block = trusted_.size() / phases;
    }
    run_.trusted_count = static_cast<std::int64_t>(trusted_.size());
    const MedianInterval interval = median_interval(trusted_, kVerdictConfidence, min_block);
    run_.median_ms = interval.median;
    run_.median_low_ms = interval.low;
    run_.median_high_ms = interval.high;
    run_.effective_count = interval.effective_count;
    run_.block_length = static_cast<std::int64_t>(interval.block_length);
    run_.step_ms = interval.step;
    run_.located_ms = interval.located;
    if (phases >= kReturningPhases && take_returning_modes(samples_of(series_, rest))) return;
    if (is_recurring) {
      add(LevelKind::kStep, interval, 1);
      return;
    }
    if (state_.drift && state_.drift->is_significant) {
      add_drift();
    } else {
      add_phases(interval);
    }
    if (state_.modes) {
      take_mixed_phases();
      add_modes(trusted_, std::sqrt(state_.modes->low_ms * state_.modes->high_ms));
    }
    std::ranges::sort(run_.levels, {}, &RunLevel::median_ms);
  }

 private:
  void add(LevelKind kind, const MedianInterval& interval, double share) {
    run_.levels.push_back({.kind = kind,
                           .median_ms = interval.located,
                           .share = share,
                           .low_ms = interval.low,
                           .high_ms = interval.high});
  }

  // The extreme phases after the warm-up, and the trusted one.
  void add_phases(const MedianInterval& trusted) {
    const TimingPhase* lowest = nullptr;
    const TimingPhase* highest = nullptr;
    const TimingPhase* chosen = nullptr;
    double count = 0;
    for (const TimingPhase& phase : state_.phases) {
      if (phase.is_trusted) chosen = &phase;
      if (!phase.is_warm_up) count += static_cast<double>(phase.range.count);
    }
    for (const TimingPhase& phase : state_.phases) {
      // A faster beginning is not warm-up, but a machine that slowed down.
      const bool is_quick_start =
          phase.is_warm_up && phase.median_ms < chosen->median_ms &&
          static_cast<double>(phase.range.count) >=
              std::max(static_cast<double>(kMinForInterval), kMinQuickShare * count);
      if (phase.is_warm_up && !is_quick_start) continue;
      if (lowest == nullptr || phase.median_ms < lowest->median_ms) lowest = &phase;
      if (highest == nullptr || phase.median_ms > highest->median_ms) highest = &phase;
    }
    const bool is_only = lowest == highest && !state_.modes;
    if (!state_.modes || lowest != highest) {
      add(is_only ? LevelKind::kOnly : LevelKind::kStep, trusted,
          static_cast<double>(chosen->range.count) / count);
    }
    for (const TimingPhase* phase : {lowest, highest}) {
      if (phase == chosen) continue;
      add(LevelKind::kStep, median_interval(samples_of(series_, phase->range), kVerdictConfidence),
          static_cast<double>(phase->range.count) / count);
    }
  }

  void add_drift() {
    const double change = state_.drift->change_ratio;
    const auto count = static_cast<double>(trusted_.size());
    std::vector<double> level(trusted_.size());
    for (std::size_t i = 0; i < trusted_.size(); ++i) {
      const double place = (static_cast<double>(i) + 0.5) / count - 0.5;
      level[i] = trusted_[i] / std::max(0.5, 1 + change * place);
    }
    const MedianInterval interval = median_interval(level, kVerdictConfidence);
    double lowest = interval.median * std::max(0.5, 1 - std::abs(change) / 2);
    double highest = interval.median * (1 + std::abs(change) / 2);
    for (std::size_t part = 0; part < kDriftParts; ++part) {
      const std::size_t first = part * trusted_.size() / kDriftParts;
      const std::size_t end = (part + 1) * trusted_.size() / kDriftParts;
      if (first == end) continue;
      const auto values = trusted_.subspan(first, end - first);
      const double median = median_of({values.begin(), values.end()});
      lowest = std::min(lowest, median);
      highest = std::max(highest, median);
    }
    for (const double end : {lowest, highest}) {
      const double factor = end / interval.median;
      run_.levels.push_back({.kind = LevelKind::kDrift,
                             .median_ms = end,
                             .share = 0.5,
                             .low_ms = interval.low * factor,
                             .high_ms = interval.high * factor});
    }
  }

  // Phases at the modes or between them are stretches with a different mix.
  void take_mixed_phases() {
    const double low = state_.modes->low_ms / (1 + kMinChangeRatio);
    const double high = state_.modes->high_ms * (1 + kMinChangeRatio);
    const bool is_mixed = std::ranges::all_of(run_.levels, [&](const RunLevel& level) {
      return level.median_ms >= low && level.median_ms <= high;
    });
    if (is_mixed) run_.levels.clear();
  }

  // Phases that alternate between two values, as long-lasting modes do.
  bool take_returning_modes(std::span<const double> rest) {
    std::vector<double> sorted(rest.begin(), rest.end());
    std::ranges::sort(sorted);
    // Without values that spikes stretch.
    const auto end = static_cast<std::size_t>(0.97 * static_cast<double>(sorted.size()));
    const auto modes = find_two_modes(std::span(sorted).first(end), timer_step(sorted).value_or(0));
    if (!modes) return false;
    const double low = modes->low / (1 + kMinChangeRatio);
    const double high = modes->high * (1 + kMinChangeRatio);
    for (const TimingPhase& phase : state_.phases) {
      if (!phase.is_warm_up && (phase.median_ms < low || phase.median_ms > high)) return false;
    }
    add_modes(rest, modes->split);
    return true;
  }

  void add_modes(std::span<const double> samples, double split) {
    std::vector<double> low, high;
    double runs = 1;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      (samples[i] < split ? low : high).push_back(samples[i]);
      if (i > 0 && (samples[i] < split) != (samples[i - 1] < split)) ++runs;
    }
    const auto count = static_cast<double>(samples.size());
    for (const auto* side : {&low, &high}) {
      if (side->empty()) continue;
      const double share = static_cast<double>(side->size()) / count;
      add(LevelKind::kMode, median_interval(*side, kVerdictConfidence), share);
      // For a chain of two states: long-lasting modes are drawn less often than samples.
      const double spread = share * (1 - share);
      const double drawn = std::max(1.0, 4 * spread * count / runs - 1);
      run_.levels.back().share_error = std::sqrt(spread * drawn / count);
    }
  }

  const TimingSeries& series_;
  const SteadyState& state_;
  MeasuredRun& run_;
  std::span<const double> trusted_;
};

// Too few to look for levels: wherever the level is, most samples are around it.
void take_range(std::span<const double> samples, MeasuredRun& run) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  run.median_ms = run.located_ms = base::quantile(sorted, 0.5);
  run.trusted_count = run.sample_count;
  if (sorted.size() < kMinForRange) return;
  run.effective_count = static_cast<double>(sorted.size());
  const std::size_t left_out = sorted.size() / 10;
  run.median_low_ms = sorted[left_out];
  run.median_high_ms = sorted[sorted.size() - 1 - left_out];
  run.levels.push_back(
      {.median_ms = *run.median_ms, .low_ms = *run.median_low_ms, .high_ms = *run.median_high_ms});
}

}  // namespace

std::string_view to_string(TimeSource source) {
  switch (source) {
    case TimeSource::kSamples:
      return "samples";
    case TimeSource::kSummary:
      return "summary";
    case TimeSource::kLayerSum:
      return "layer-sum";
    case TimeSource::kNone:
      return "none";
  }
  return {};
}

bool ran_on_processor(const model::PlanModel& model) {
  if (model.engine.row_count() == 0) return false;
  const std::string_view producer = model.text(model.engine.producer[0]);
  if (producer != "openvino" && producer != "onnxruntime") return false;
  const std::string_view device = model.text(model.engine.device[0]);
  return std::ranges::none_of(
      std::array<std::string_view, 3>{"GPU", "NPU", "CUDA"},
      [&](std::string_view other) { return device.find(other) != std::string_view::npos; });
}

MeasuredRun measure_run(const TimingSeries& series) {
  MeasuredRun run;
  run.field = series.field;
  run.sample_count = static_cast<std::int64_t>(series.ms.size());
  if (series.ms.empty()) return run;
  run.source = TimeSource::kSamples;
  const SteadyState state = find_steady_state(series);
  if (state.verdict == Steadiness::kTooFew) {
    take_range(series.ms, run);
    return run;
  }
  Reducer(series, state, run).reduce();
  return run;
}

MeasuredRun measure_run(const model::PlanModel& model) {
  MeasuredRun run;
  const auto series = timing_series(model.iterations);
  if (series && measured_profile(model).is_shown) {
    run = measure_run(*series);
    run.concurrent = find_overlap(model.iterations).depth;
  }
  if (ran_on_processor(model)) run.assumed_spread_ratio = kAssumedProcessorSpreadRatio;
  run.was_machine_busy = was_machine_busy(model);
  if (run.was_machine_busy) run.assumed_spread_ratio = kAssumedBusySpreadRatio;
  run.cpu_time = cpu_time_of(model);
  const Reconciliation times = reconcile(model);
  run.layer_sum_basis = times.basis;
  run.layer_sum_ms = times.layers_ms();
  if (run.source == TimeSource::kSamples) return run;
  const auto is_time = [](std::optional<double> ms) { return ms && std::isfinite(*ms) && *ms > 0; };
  if (times.end_to_end && is_time(times.end_to_end->median_ms)) {
    run.source = TimeSource::kSummary;
    run.field = times.end_to_end->field;
    run.median_ms = times.end_to_end->median_ms;
  } else if (is_time(run.layer_sum_ms)) {
    run.source = TimeSource::kLayerSum;
    run.median_ms = run.layer_sum_ms;
  }
  return run;
}

}  // namespace planex::analyze
