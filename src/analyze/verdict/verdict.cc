#include "analyze/verdict/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyze/timing/distributions.h"
#include "analyze/timing/level_shifts.h"
#include "analyze/verdict/cpu_time.h"
#include "analyze/verdict/errors.h"
#include "analyze/verdict/shared_levels.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

// Number of repetitions that the assumed spread of runs counts as. More would outweigh
// measurements, fewer would make one run per side worthless.
constexpr double kAssumedFreedom = 4;
// Measured runs refute the assumption where their spread would occur by chance in one of twenty
// cases.
constexpr double kRefuted = 0.05;
constexpr double kTail = (1 - kVerdictConfidence) / 2;
// Power of detectable changes: found in 9 of 10.
constexpr double kPower = 0.9;
// From these degrees of freedom on, runs show themselves how they differ; below, Student's t would
// make less of them than the assumption.
constexpr double kMeasuredFreedom = 2;
// Share of a change on a busy machine.
constexpr double kMinShareOfCpuTime = 0.5;
// At most this many samples are asked for.
constexpr double kMaxNeeded = 1e6;

double student(double freedom) { return student_quantile(freedom, 1 - kTail); }

// One run: the uncertainty of its median from its samples, and from the levels that it could have
// had instead.
struct Run {
  Figure median, any_level;
};

Run run_of(const MeasuredRun& measured) {
  Run run;
  run.median = figure_of(*measured.located_ms, *measured.median_low_ms, *measured.median_high_ms);
  run.any_level = run.median;
  const double center = run.median.center;
  for (const RunLevel& level : measured.levels) {
    run.any_level.below = std::max(run.any_level.below, center - std::log(level.low_ms));
    run.any_level.above = std::max(run.any_level.above, std::log(level.high_ms) - center);
  }
  return run;
}

Figure mean_figure(std::span<const Run> runs, Figure Run::* which) {
  std::vector<Figure> figures;
  for (const Run& run : runs) figures.push_back(run.*which);
  return mean_of(figures);
}

// Limits of a difference from those of its terms (Zou & Donner 2008).
struct Limits {
  double center = 0, low = 0, high = 0;
};
Limits difference(const Figure& base, const Figure& candidate, double run_half_width = 0) {
  const double center = candidate.center - base.center;
  return {.center = center,
          .low = center - root_of_squares(candidate.below, base.above, run_half_width),
          .high = center + root_of_squares(candidate.above, base.below, run_half_width)};
}

// Deviations of runs from what the runs of their side have in common, and how well each is known.
struct Deviations {
  double squares = 0, within = 0, runs = 0;

  void add(double distance, const Figure& figure) {
    squares += distance * distance;
    const double error = (figure.below + figure.above) / (2 * normal_quantile(1 - kTail));
    within += error * error;
    ++runs;
  }
  double freedom() const { return runs - 2; }
  // Includes the uncertainty from their samples.
  double variance() const { return squares / freedom(); }
  double variance_between() const { return std::max(0.0, variance() - within / runs); }
};

Deviations deviations_of(std::span<const Run> base, std::span<const Run> candidate) {
  Deviations deviations;
  for (const auto side : {base, candidate}) {
    const double center = mean_figure(side, &Run::median).center;
    for (const Run& run : side) deviations.add(run.median.center - center, run.median);
  }
  return deviations;
}

// Uses the levels: a run that was at a different level for most of its time does not differ because
// of that.
Deviations deviations_of(const SharedLevels& shared) {
  Deviations deviations;
  for (const SharedSide* side : {&shared.base, &shared.candidate}) {
    for (std::size_t run = 0; run < side->levels.front().runs.size(); ++run) {
      double distance = 0, count = 0;
      const Figure* figure = nullptr;
      for (const SharedLevel& level : side->levels) {
        if (!level.runs[run]) continue;
        figure = &*level.runs[run];
        distance += figure->center - level.mean.center;
        ++count;
      }
      if (figure != nullptr) deviations.add(distance / count, *figure);
    }
  }
  return deviations;
}

// Standard deviation of a run's level from run to run, and how well it is known.
struct LevelSpread {
  double deviation = 0, freedom = kAssumedFreedom;
  bool is_measured = false;

  double half_width(double base_runs, double candidate_runs) const {
    if (!(deviation > 0)) return 0;
    return deviation * std::sqrt(1 / base_runs + 1 / candidate_runs) * student(freedom);
  }
};

// Whether the spread of measured runs refutes the assumed one.
bool is_refuted(double variance, double freedom, double assumed) {
  const double limit = fisher_limit(freedom, kAssumedFreedom, kRefuted);
  return variance > limit * assumed * assumed;
}

LevelSpread level_spread(const Deviations& deviations, double assumed) {
  const double freedom = deviations.freedom();
  if (freedom < 1) return {.deviation = assumed};
  if (freedom >= kMeasuredFreedom) {
    return {.deviation = std::max(kMinRunSpreadRatio, std::sqrt(deviations.variance())),
            .freedom = freedom,
            .is_measured = true};
  }
  const double variance = deviations.variance_between();
  if (!(assumed > 0) || is_refuted(variance, freedom, assumed)) {
    return {.deviation = std::sqrt(variance), .freedom = freedom, .is_measured = true};
  }
  const double together = freedom + kAssumedFreedom;
  return {
      .deviation = std::sqrt((freedom * variance + kAssumedFreedom * assumed * assumed) / together),
      .freedom = together};
}

// What runs add to the limits of a change: for its significance, and for the gate.
struct RunErrors {
  LevelSpread spread, gate_spread;
  // Assumed spread for one run per side. More runs never find less: means of runs are closer to the
  // truth than one run, so they are not assumed to differ by more, unless they show that the
  // assumption is wrong.
  double max_half_width = 0;

  double half_width(double base_runs, double candidate_runs) const {
    return std::min(spread.half_width(base_runs, candidate_runs), max_half_width);
  }
  // Where runs show how they differ, that includes the errors of their samples.
  Limits limits(const Figure& base, const Figure& candidate, double base_runs,
                double candidate_runs) const {
    const double half_width = this->half_width(base_runs, candidate_runs);
    if (!spread.is_measured) return difference(base, candidate, half_width);
    Limits limits = difference(base, candidate);
    limits.low = std::min(limits.low, limits.center - half_width);
    limits.high = std::max(limits.high, limits.center + half_width);
    return limits;
  }
  Limits gate_limits(const Figure& base, const Figure& candidate, double base_runs,
                     double candidate_runs) const {
    return difference(base, candidate, gate_half_width(base_runs, candidate_runs));
  }
  // As wide as runs are measured to differ, but no wider than for one run per side, however large
  // the measured spread: a failing candidate must also be slower.
  double gate_half_width(double base_runs, double candidate_runs) const {
    const double assumed = gate_spread.half_width(base_runs, candidate_runs);
    if (!spread.is_measured) return assumed;
    return std::clamp(spread.half_width(base_runs, candidate_runs), assumed,
                      std::max(assumed, gate_spread.half_width(1, 1)));
  }
};

// From the smallest of the lower limits to the largest of the upper ones.
Limits hull(std::span<const Limits> all) {
  Limits hull = all.front();
  double sum = 0;
  for (const Limits& limits : all) {
    hull.low = std::min(hull.low, limits.low);
    hull.high = std::max(hull.high, limits.high);
    sum += limits.center;
  }
  hull.center = sum / static_cast<double>(all.size());
  return hull;
}

bool is_apart(const Limits& limits) { return limits.low > 0 || limits.high < 0; }

double ratio_of(double logarithm) { return std::expm1(logarithm); }

VerdictSide side_of(std::span<const MeasuredRun> runs) {
  VerdictSide side;
  side.run_count = static_cast<std::int64_t>(runs.size());
  double sum = 0;
  bool is_known = !runs.empty();
  for (const MeasuredRun& run : runs) {
    side.sample_count += run.sample_count;
    is_known = is_known && run.median_ms.has_value();
    if (run.median_ms) sum += std::log(*run.median_ms);
  }
  if (!is_known) return side;
  const double mean = std::exp(sum / static_cast<double>(runs.size()));
  // The mean of a single value would be rounded.
  side.median_ms = runs.size() == 1 ? *runs.front().median_ms : mean;
  for (const MeasuredRun& run : runs) {
    side.greatest_deviation_ratio =
        std::max(side.greatest_deviation_ratio, std::abs(*run.median_ms / *side.median_ms - 1));
  }
  return side;
}

class Judge {
 public:
  Judge(std::span<const MeasuredRun> base, std::span<const MeasuredRun> candidate,
        const GateOptions& options)
      : base_(base), candidate_(candidate), options_(options) {}

  Verdict judge() {
    verdict_.gate_threshold_ratio = options_.fail_above_ratio;
    if (options_.fail_above_ratio) verdict_.gate = GateResult::kUnknown;
    if (find_change() && has_intervals()) find_interval();
    verdict_.fails = verdict_.gate == GateResult::kFailed ||
                     (options_.fail_when_unclear && (verdict_.gate == GateResult::kUndecided ||
                                                     verdict_.gate == GateResult::kUnknown));
    return std::move(verdict_);
  }

 private:
  // Runs of both sides for which `is_odd` is true: the doubt is about the first one.
  template <typename IsOdd>
  bool doubt_where(UnclearReason unclear_reason, const IsOdd& is_odd) {
    for (const bool of_candidate : {true, false}) {
      const auto runs = of_candidate ? candidate_ : base_;
      const auto odd = std::ranges::find_if(runs, is_odd);
      if (odd == runs.end()) continue;
      set_doubt(unclear_reason, of_candidate, static_cast<std::size_t>(odd - runs.begin()));
      return true;
    }
    return false;
  }

  void set_doubt(UnclearReason unclear_reason, bool of_candidate, std::size_t run) {
    verdict_.unclear_reason = unclear_reason;
    verdict_.is_candidate_unclear = of_candidate;
    verdict_.doubt_run = static_cast<std::int64_t>(run);
  }

  // The figure that both sides have; false where they have nothing in common.
  bool find_change() {
    verdict_.base = side_of(base_);
    verdict_.candidate = side_of(candidate_);
    const auto is_untimed = [](const MeasuredRun& run) { return run.source == TimeSource::kNone; };
    if (base_.empty() || candidate_.empty()) {
      set_doubt(UnclearReason::kNoTimes, candidate_.empty(), 0);
      return false;
    }
    if (doubt_where(UnclearReason::kNoTimes, is_untimed)) return false;
    const auto is_layer_sum = [](const MeasuredRun& run) {
      return run.source == TimeSource::kLayerSum;
    };
    if (doubt_where(UnclearReason::kLayerSumsOnly, is_layer_sum)) {
      change_of_layer_sums();
      return false;
    }
    const MeasuredRun& first = base_.front();
    if (doubt_where(UnclearReason::kDifferentFigures,
                    [&](const MeasuredRun& run) { return run.field != first.field; })) {
      return false;
    }
    verdict_.field = first.field;
    verdict_.source = TimeSource::kSamples;
    const bool has_summary = doubt_where(UnclearReason::kNoSamples, [](const MeasuredRun& run) {
      return run.source == TimeSource::kSummary;
    });
    if (has_summary) verdict_.source = TimeSource::kSummary;
    set_change();
    if (has_summary) verdict_.method = "medians without samples: no interval";
    return !has_summary && verdict_.change_ratio.has_value();
  }

  // Layer sums for both, though one side may have an end to end.
  void change_of_layer_sums() {
    verdict_.source = TimeSource::kLayerSum;
    verdict_.method = "sums of layer times, no interval";
    for (const bool of_candidate : {false, true}) {
      const auto runs = of_candidate ? candidate_ : base_;
      VerdictSide& side = of_candidate ? verdict_.candidate : verdict_.base;
      std::vector<MeasuredRun> sums(runs.begin(), runs.end());
      for (MeasuredRun& run : sums) {
        run.median_ms = run.layer_sum_ms && *run.layer_sum_ms > 0 ? run.layer_sum_ms : std::nullopt;
        // Comparing means of one side with medians of the other would be a change of the figure.
        if (run.layer_sum_basis != base_.front().layer_sum_basis) run.median_ms.reset();
      }
      side = side_of(sums);
    }
    set_change();
  }

  void set_change() {
    if (!verdict_.base.median_ms || !verdict_.candidate.median_ms) return;
    const double change = *verdict_.candidate.median_ms / *verdict_.base.median_ms - 1;
    if (std::isfinite(change)) verdict_.change_ratio = change;
  }

  bool has_intervals() {
    verdict_.judgement = Judgement::kUnclear;
    if (options_.fail_above_ratio) verdict_.gate = GateResult::kUndecided;
    if (doubt_where(UnclearReason::kTooFewSamples,
                    [](const MeasuredRun& run) { return run.levels.empty(); })) {
      verdict_.method = "too few samples for an interval";
      return false;
    }
    return !doubt_where(UnclearReason::kDifferentStreams, [&](const MeasuredRun& run) {
      return run.concurrent != base_.front().concurrent;
    });
  }

  void find_interval() {
    std::vector<Run> base, candidate;
    for (const MeasuredRun& run : base_) base.push_back(run_of(run));
    for (const MeasuredRun& run : candidate_) candidate.push_back(run_of(run));
    const auto shared = find_shared_levels(base_, candidate_);
    const Deviations deviations = shared ? deviations_of(*shared) : deviations_of(base, candidate);
    find_errors(deviations);

    const Figure base_mean = mean_figure(base, &Run::median);
    const Figure candidate_mean = mean_figure(candidate, &Run::median);
    const Limits plain = errors_.limits(base_mean, candidate_mean, base_runs(), candidate_runs());
    const Limits within = difference(base_mean, candidate_mean);
    verdict_.within_runs_low_ratio = ratio_of(within.low);
    verdict_.within_runs_high_ratio = ratio_of(within.high);
    // Medians of rounded times are rounded, too.
    if (has_coarse_timer()) verdict_.change_ratio = ratio_of(plain.center);
    name_levels();
    if (shared) {
      judge_shared(*shared);
    } else {
      const Figure base_any = mean_figure(base, &Run::any_level);
      const Figure candidate_any = mean_figure(candidate, &Run::any_level);
      limits_ = errors_.limits(base_any, candidate_any, base_runs(), candidate_runs());
      gate_limits_ = errors_.gate_limits(base_any, candidate_any, base_runs(), candidate_runs());
      set_judgement(limits_, are_medians_apart(base_mean, candidate_mean));
    }
    name_single_run();
    doubt_busy_machine();
    verdict_.low_ratio = ratio_of(limits_.low);
    verdict_.high_ratio = ratio_of(limits_.high);
    verdict_.gate_low_ratio = ratio_of(gate_limits_.low);
    verdict_.gate_high_ratio = ratio_of(gate_limits_.high);
    find_needed(within);
    find_needed_runs(within);
    find_detectable(within);
    decide_gate();
    describe();
    doubt_few_samples();
  }

  void find_errors(const Deviations& deviations) {
    const double assumed = assumed_spread(kUnrepeatedRunSpreadRatio);
    errors_ = {.spread = level_spread(deviations, assumed),
               .gate_spread = {.deviation = assumed_spread(0)}};
    const LevelSpread& spread = errors_.spread;
    const bool holds =
        assumed > 0 && !(spread.is_measured &&
                         is_refuted(spread.deviation * spread.deviation, spread.freedom, assumed));
    errors_.max_half_width = holds ? LevelSpread{.deviation = assumed}.half_width(1, 1)
                                   : std::numeric_limits<double>::infinity();
    verdict_.run_spread_ratio = spread.deviation;
    verdict_.is_run_spread_measured = spread.is_measured;
    verdict_.run_difference_ratio = ratio_of(errors_.half_width(base_runs(), candidate_runs()));
  }

  double base_runs() const { return static_cast<double>(base_.size()); }
  double candidate_runs() const { return static_cast<double>(candidate_.size()); }

  bool has_coarse_timer() const {
    const auto is_coarse = [](const MeasuredRun& run) { return run.located_ms != run.median_ms; };
    return std::ranges::any_of(base_, is_coarse) || std::ranges::any_of(candidate_, is_coarse);
  }

  void set_judgement(const Limits& limits, bool is_unclear) {
    verdict_.judgement = limits.low > 0    ? Judgement::kSlower
                         : limits.high < 0 ? Judgement::kFaster
                         : is_unclear      ? Judgement::kUnclear
                                           : Judgement::kWithinNoise;
  }

  // The larger, where runs are from different devices.
  double assumed_spread(double least) const {
    if (options_.assumed_run_spread_ratio) return *options_.assumed_run_spread_ratio;
    double greatest = least;
    for (const auto runs : {base_, candidate_}) {
      for (const MeasuredRun& run : runs) greatest = std::max(greatest, run.assumed_spread_ratio);
    }
    return greatest;
  }

  // Level by level. If all moved to the same side, their mix does not affect whether there is a
  // change, only how large it is. If none moved and only the mix of modes differs, it is unclear:
  // it may be drawn again in each run of one engine.
  void judge_shared(const SharedLevels& shared) {
    std::vector<Limits> levels, gate_levels;
    for (std::size_t i = 0; i < shared.base.levels.size(); ++i) {
      const SharedLevel& a = shared.base.levels[i];
      const SharedLevel& b = shared.candidate.levels[i];
      const auto a_runs = static_cast<double>(a.run_count);
      const auto b_runs = static_cast<double>(b.run_count);
      // No run of this side was there.
      if (a.run_count == 0 || b.run_count == 0) continue;
      levels.push_back(errors_.limits(a.mean, b.mean, a_runs, b_runs));
      gate_levels.push_back(errors_.gate_limits(a.mean, b.mean, a_runs, b_runs));
    }
    limits_ = hull(levels);
    gate_limits_ = hull(gate_levels);
    bool is_unclear =
        std::ranges::any_of(errors_.spread.is_measured ? levels : gate_levels, is_apart);
    if (shared.are_modes) {
      const Limits mixed = mixed_change(shared);
      is_unclear = is_unclear || is_apart(mixed);
      if (!is_apart(limits_)) {
        limits_.low = std::min(limits_.low, mixed.low);
        limits_.high = std::max(limits_.high, mixed.high);
        limits_.center = mixed.center;
      }
      // A mix that may have cost more than the threshold prevents the gate from passing.
      gate_limits_.high = std::max(gate_limits_.high, mixed.high);
    }
    set_judgement(limits_, is_unclear);
    verdict_.change_ratio = ratio_of(limits_.center);
  }

  // The change of the mean of the modes. Their mix has an error within each run; with enough runs,
  // it is measured from run to run.
  Limits mixed_change(const SharedLevels& shared) const {
    double center = 0, variance = 0, squares = 0, share = 0;
    for (const SharedSide* side : {&shared.base, &shared.candidate}) {
      const auto count = static_cast<double>(side->mixed.size());
      double mean = 0;
      for (std::size_t run = 0; run < side->mixed.size(); ++run) {
        mean += side->mixed[run] / count;
        variance += side->mixed_error[run] * side->mixed_error[run] / (count * count);
      }
      for (const double mixed : side->mixed) squares += (mixed - mean) * (mixed - mean);
      center += side == &shared.base ? -mean : mean;
      share += 1 / count;
    }
    const double freedom = base_runs() + candidate_runs() - 2;
    double half_width = root_of_squares(normal_quantile(1 - kTail) * std::sqrt(variance),
                                        errors_.gate_half_width(base_runs(), candidate_runs()));
    if (freedom >= kMeasuredFreedom) {
      half_width = std::max(half_width, student(freedom) * std::sqrt(squares / freedom * share));
    }
    return {.center = center, .low = center - half_width, .high = center + half_width};
  }

  // Whether the medians alone are separated: if the two then can't be distinguished, that is due to
  // other levels, or to the assumed spread of unrepeated runs.
  bool are_medians_apart(const Figure& base, const Figure& candidate) const {
    return is_apart(errors_.spread.is_measured
                        ? errors_.limits(base, candidate, base_runs(), candidate_runs())
                        : errors_.gate_limits(base, candidate, base_runs(), candidate_runs()));
  }

  // Whichever level is used, samples alone would distinguish the two.
  void name_single_run() {
    if (verdict_.judgement != Judgement::kUnclear || errors_.spread.is_measured) return;
    if (is_apart(gate_limits_)) set_doubt(UnclearReason::kSingleRun, candidate_.size() == 1, 0);
  }

  // Threads that lose their processor wait, and the more it is taken, the more of them wait: where
  // CPU time explains less than half of the change, that is the likely cause.
  void doubt_busy_machine() {
    verdict_.cpu_change_ratio = cpu_time_change(base_, candidate_);
    const bool is_clear =
        verdict_.judgement == Judgement::kSlower || verdict_.judgement == Judgement::kFaster;
    if (!is_clear || !verdict_.cpu_change_ratio) return;
    const double by_cpu = std::log1p(*verdict_.cpu_change_ratio) / limits_.center;
    if (by_cpu >= kMinShareOfCpuTime) return;
    if (doubt_where(UnclearReason::kBusyMachine,
                    [](const MeasuredRun& run) { return run.was_machine_busy; })) {
      verdict_.judgement = Judgement::kUnclear;
    }
  }

  // Too few samples do not matter where engines are far apart.
  void doubt_few_samples() {
    const bool is_clear =
        verdict_.judgement == Judgement::kSlower || verdict_.judgement == Judgement::kFaster;
    if (is_clear) return;
    if (doubt_where(UnclearReason::kTooFewSamples, is_too_few))
      verdict_.judgement = Judgement::kUnclear;
  }

  // An error shrinks with the root of the number of samples.
  void find_needed(const Limits& within) {
    double fewest = kMaxNeeded;
    for (const auto runs : {base_, candidate_}) {
      for (const MeasuredRun& run : runs) {
        fewest = std::min(fewest, static_cast<double>(run.sample_count));
      }
    }
    const double error = (within.high - within.low) / 2;
    const double aim = errors_.gate_half_width(base_runs(), candidate_runs());
    const double factor = aim > 0 ? error / aim : 1;
    double needed = std::max(static_cast<double>(kMinSamples), fewest * factor * factor);
    if (needed <= fewest) return;
    needed = std::min(needed, kMaxNeeded);
    // Two digits: it is an estimate.
    const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(needed)) - 1));
    verdict_.needed_sample_count = static_cast<std::int64_t>(std::ceil(needed / unit) * unit);
  }

  // Where a run has no levels, what they do in the next one is not known.
  void find_needed_runs(const Limits& within) {
    const bool is_open =
        verdict_.judgement == Judgement::kUnclear || verdict_.judgement == Judgement::kWithinNoise;
    const bool has_levels = verdict_.unclear_reason != UnclearReason::kNone &&
                            verdict_.unclear_reason != UnclearReason::kSingleRun;
    if (!is_open || has_levels) return;
    const auto most = static_cast<double>(std::max(base_.size(), candidate_.size()));
    const double error = (within.high - within.low) / 2;
    for (double runs = most + 1; runs <= static_cast<double>(kMaxNeededRuns); ++runs) {
      const double half_width =
          root_of_squares(error * std::sqrt(most / runs), errors_.half_width(runs, runs));
      if (half_width >= std::abs(limits_.center)) continue;
      verdict_.needed_run_count = static_cast<std::int64_t>(runs);
      return;
    }
  }

  // The doubt is about the run with the widest range of levels.
  void name_levels() {
    double widest = 0;
    for (const bool of_candidate : {true, false}) {
      const auto measured = of_candidate ? candidate_ : base_;
      for (std::size_t i = 0; i < measured.size(); ++i) {
        const auto& levels = measured[i].levels;
        const double span = levels.back().median_ms / levels.front().median_ms;
        if (levels.size() < 2 || span <= widest) continue;
        widest = span;
        const LevelKind kind = levels.front().kind;
        set_doubt(kind == LevelKind::kDrift  ? UnclearReason::kDrift
                  : kind == LevelKind::kMode ? UnclearReason::kTwoModes
                                             : UnclearReason::kSteps,
                  of_candidate, i);
      }
    }
  }

  void find_detectable(const Limits& within) {
    const double within_error = (within.high - within.low) / (2 * normal_quantile(1 - kTail));
    const auto scatter = [&](const LevelSpread& spread) {
      const double run_error = spread.deviation * std::sqrt(1 / base_runs() + 1 / candidate_runs());
      return normal_quantile(kPower) * root_of_squares(within_error, run_error);
    };
    const double detectable = limits_.center - limits_.low + scatter(errors_.spread);
    verdict_.detectable_ratio = ratio_of(detectable);
    if (!options_.fail_above_ratio) return;
    const LevelSpread& spread = errors_.spread.is_measured ? errors_.spread : errors_.gate_spread;
    const double above = std::log1p(*options_.fail_above_ratio) + limits_.center -
                         gate_limits_.low + scatter(spread);
    verdict_.gate_detectable_ratio = ratio_of(std::max(above, detectable));
  }

  void decide_gate() {
    if (!options_.fail_above_ratio) return;
    const double threshold = *options_.fail_above_ratio;
    const bool is_slower = verdict_.judgement == Judgement::kSlower;
    verdict_.gate = is_slower && *verdict_.gate_low_ratio > threshold ? GateResult::kFailed
                    : *verdict_.gate_high_ratio <= threshold          ? GateResult::kPassed
                                                                      : GateResult::kUndecided;
  }

  void describe() {
    const auto lengths = [](std::span<const MeasuredRun> runs) {
      const auto [least, most] = std::ranges::minmax(runs, {}, &MeasuredRun::block_length);
      return least.block_length == most.block_length
                 ? base::format("{}", least.block_length)
                 : base::format("{} to {}", least.block_length, most.block_length);
    };
    const auto runs = [](std::size_t count) {
      return base::format("{} run{}", count, count == 1 ? "" : "s");
    };
    const LevelSpread& spread = errors_.spread;
    verdict_.method = base::format(
        "95 % interval of the ratio of medians: block bootstrap within runs (blocks of {} and {} "
        "samples); {} against {}, which differ by {:.2f} % from run to run ({})",
        lengths(base_), lengths(candidate_), runs(base_.size()), runs(candidate_.size()),
        spread.deviation * 100,
        spread.is_measured                  ? "measured"
        : options_.assumed_run_spread_ratio ? "given"
        : spread.freedom > kAssumedFreedom  ? "assumed, combined with measurements"
                                            : "assumed");
    if (verdict_.unclear_reason != UnclearReason::kNone) {
      verdict_.method += "; across all levels of runs that have several";
    }
    const bool is_few =
        std::ranges::any_of(base_, is_too_few) || std::ranges::any_of(candidate_, is_too_few);
    if (is_few) verdict_.method += "; for runs with few samples, their range";
  }

  static bool is_too_few(const MeasuredRun& run) { return run.steadiness == Steadiness::kTooFew; }

  std::span<const MeasuredRun> base_, candidate_;
  const GateOptions& options_;
  RunErrors errors_;
  Limits limits_, gate_limits_;
  Verdict verdict_;
};

}  // namespace

std::string_view to_string(Judgement judgement) {
  switch (judgement) {
    case Judgement::kSlower:
      return "slower";
    case Judgement::kFaster:
      return "faster";
    case Judgement::kWithinNoise:
      return "within-noise";
    case Judgement::kUnclear:
      return "unclear";
    case Judgement::kUnknown:
      return "unknown";
  }
  return {};
}

std::string_view to_string(UnclearReason unclear_reason) {
  switch (unclear_reason) {
    case UnclearReason::kNone:
      return "none";
    case UnclearReason::kNoTimes:
      return "no-times";
    case UnclearReason::kLayerSumsOnly:
      return "layer-sums-only";
    case UnclearReason::kNoSamples:
      return "no-samples";
    case UnclearReason::kDifferentFigures:
      return "different-figures";
    case UnclearReason::kTooFewSamples:
      return "too-few-samples";
    case UnclearReason::kDifferentStreams:
      return "different-streams";
    case UnclearReason::kDrift:
      return "drift";
    case UnclearReason::kSteps:
      return "steps";
    case UnclearReason::kTwoModes:
      return "two-modes";
    case UnclearReason::kSingleRun:
      return "single-run";
    case UnclearReason::kBusyMachine:
      return "busy-machine";
  }
  return {};
}

std::string_view to_string(GateResult result) {
  switch (result) {
    case GateResult::kOff:
      return "off";
    case GateResult::kPassed:
      return "passed";
    case GateResult::kFailed:
      return "failed";
    case GateResult::kUndecided:
      return "undecided";
    case GateResult::kUnknown:
      return "unknown";
  }
  return {};
}

Verdict judge(std::span<const MeasuredRun> base, std::span<const MeasuredRun> candidate,
              const GateOptions& options) {
  if (!goes_by_cpu_time(base, candidate)) return Judge(base, candidate, options).judge();
  return Judge(by_cpu_time(base), by_cpu_time(candidate), options).judge();
}

}  // namespace planex::analyze
