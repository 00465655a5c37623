#include "analyze/verdict/verdict.h"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "analyze/level_shifts.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

// How many repetitions the assumed spread of runs counts as. More would outweigh what is measured,
// fewer would make one run a side worthless.
constexpr double kAssumedFreedom = 4;
// Measured runs refute the assumption where they spread so much that chance would do it in one of
// twenty.
constexpr double kRefuted = 0.05;
constexpr double kTail = (1 - kVerdictConfidence) / 2;
// Of detectable changes: found in 9 of 10.
constexpr double kPower = 0.9;

double student(double freedom) {
  return boost::math::quantile(boost::math::students_t(freedom), 1 - kTail);
}
double normal(double share) { return boost::math::quantile(boost::math::normal(), share); }

// A logarithm of a time, and how far the truth may be below and above it.
struct Figure {
  double center = 0, below = 0, above = 0;
};

Figure figure_of(const RunLevel& level) {
  const double center = std::log(level.median_ms);
  return {.center = center,
          .below = center - std::log(level.low_ms),
          .above = std::log(level.high_ms) - center};
}

// One run: its median as its samples leave it open, and as the levels do that it could have had
// instead; and these levels.
struct Run {
  Figure median, any_level, lowest, highest;
  // Of modes, where the run has two and nothing else.
  bool has_modes = false;
  double high_share = 0;
  double span() const { return highest.center - lowest.center; }
};

Run run_of(const MeasuredRun& measured) {
  Run run;
  run.lowest = figure_of(measured.levels.front());
  run.highest = figure_of(measured.levels.back());
  run.has_modes =
      measured.levels.size() == 2 &&
      std::ranges::all_of(measured.levels, [](auto& one) { return one.kind == LevelKind::kMode; });
  run.high_share = measured.levels.back().share;
  run.median = figure_of({.median_ms = *measured.median_ms,
                          .low_ms = *measured.median_low_ms,
                          .high_ms = *measured.median_high_ms});
  run.any_level = run.median;
  for (const Figure& level : {run.lowest, run.highest}) {
    const double center = run.median.center;
    run.any_level.below = std::max(run.any_level.below, center - (level.center - level.below));
    run.any_level.above = std::max(run.any_level.above, level.center + level.above - center);
  }
  return run;
}

Figure mean_of(std::span<const Run> runs, Figure Run::* which) {
  Figure mean;
  const auto count = static_cast<double>(runs.size());
  for (const Run& run : runs) {
    const Figure& figure = run.*which;
    mean.center += figure.center / count;
    mean.below += figure.below * figure.below / (count * count);
    mean.above += figure.above * figure.above / (count * count);
  }
  mean.below = std::sqrt(mean.below);
  mean.above = std::sqrt(mean.above);
  return mean;
}

// Limits of a difference from those of its terms (Zou & Donner 2008).
struct Limits {
  double center = 0, low = 0, high = 0;
};
Limits difference(const Figure& base, const Figure& candidate, double run_half_width) {
  const double center = candidate.center - base.center;
  return {.center = center,
          .low = center - std::hypot(candidate.below, base.above, run_half_width),
          .high = center + std::hypot(candidate.above, base.below, run_half_width)};
}

// Standard deviation of a run's level from run to run, and how well it is known.
struct RunSpread {
  double deviation = 0, freedom = kAssumedFreedom;
  bool is_measured = false;
};

RunSpread run_spread(std::span<const Run> base, std::span<const Run> candidate, double assumed) {
  double squares = 0, within = 0;
  for (const auto side : {base, candidate}) {
    const double center = mean_of(side, &Run::median).center;
    for (const Run& run : side) {
      const double distance = run.median.center - center;
      squares += distance * distance;
      const double error = (run.median.below + run.median.above) / (2 * normal(1 - kTail));
      within += error * error;
    }
  }
  const auto runs = static_cast<double>(base.size() + candidate.size());
  const double freedom = runs - 2;
  if (freedom < 1) return {.deviation = assumed};
  // Medians differ by what their samples leave open, too.
  const double variance = std::max(0.0, squares / freedom - within / runs);
  if (!(assumed > 0)) {
    return {.deviation = std::sqrt(variance), .freedom = freedom, .is_measured = true};
  }
  const double limit = boost::math::quantile(
      boost::math::complement(boost::math::fisher_f(freedom, kAssumedFreedom), kRefuted));
  if (variance > limit * assumed * assumed) {
    return {.deviation = std::sqrt(variance), .freedom = freedom, .is_measured = true};
  }
  const double together = freedom + kAssumedFreedom;
  return {
      .deviation = std::sqrt((freedom * variance + kAssumedFreedom * assumed * assumed) / together),
      .freedom = together,
      .is_measured = true};
}

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
  // A mean of one would be rounded.
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
  // Both sides' runs that `is_odd` holds for: the first one is what the doubt is about.
  template <typename IsOdd>
  bool doubt_where(Doubt doubt, const IsOdd& is_odd) {
    for (const bool of_candidate : {true, false}) {
      const auto runs = of_candidate ? candidate_ : base_;
      const auto odd = std::ranges::find_if(runs, is_odd);
      if (odd == runs.end()) continue;
      set_doubt(doubt, of_candidate, static_cast<std::size_t>(odd - runs.begin()));
      return true;
    }
    return false;
  }

  void set_doubt(Doubt doubt, bool of_candidate, std::size_t run) {
    verdict_.doubt = doubt;
    verdict_.is_doubt_of_candidate = of_candidate;
    verdict_.doubt_run = static_cast<std::int64_t>(run);
  }

  // Of what both sides have; false where they have nothing in common.
  bool find_change() {
    verdict_.base = side_of(base_);
    verdict_.candidate = side_of(candidate_);
    const auto is_untimed = [](const MeasuredRun& run) { return run.source == TimeSource::kNone; };
    if (base_.empty() || candidate_.empty()) {
      set_doubt(Doubt::kNoTimes, candidate_.empty(), 0);
      return false;
    }
    if (doubt_where(Doubt::kNoTimes, is_untimed)) return false;
    const auto is_layer_sum = [](const MeasuredRun& run) {
      return run.source == TimeSource::kLayerSum;
    };
    if (doubt_where(Doubt::kLayerSumsOnly, is_layer_sum)) {
      change_of_layer_sums();
      return false;
    }
    const MeasuredRun& first = base_.front();
    if (doubt_where(Doubt::kDifferentFigures,
                    [&](const MeasuredRun& run) { return run.field != first.field; })) {
      return false;
    }
    verdict_.field = first.field;
    verdict_.source = TimeSource::kSamples;
    const bool has_summary = doubt_where(Doubt::kNoSamples, [](const MeasuredRun& run) {
      return run.source == TimeSource::kSummary;
    });
    if (has_summary) verdict_.source = TimeSource::kSummary;
    set_change();
    if (has_summary) verdict_.method = "medians without samples: no interval";
    return !has_summary && verdict_.change_ratio.has_value();
  }

  // Both of layers, though one may have an end to end.
  void change_of_layer_sums() {
    verdict_.source = TimeSource::kLayerSum;
    verdict_.method = "sums of layer times, no interval";
    for (const bool of_candidate : {false, true}) {
      const auto runs = of_candidate ? candidate_ : base_;
      VerdictSide& side = of_candidate ? verdict_.candidate : verdict_.base;
      std::vector<MeasuredRun> sums(runs.begin(), runs.end());
      for (MeasuredRun& run : sums) {
        run.median_ms = run.layer_sum_ms && *run.layer_sum_ms > 0 ? run.layer_sum_ms : std::nullopt;
        // Means of the one against medians of the other would be a change of the figure.
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
    if (doubt_where(Doubt::kTooFewSamples,
                    [](const MeasuredRun& run) { return run.levels.empty(); })) {
      verdict_.method = "too few samples for an interval";
      return false;
    }
    return !doubt_where(Doubt::kDifferentStreams, [&](const MeasuredRun& run) {
      return run.concurrent != base_.front().concurrent;
    });
  }

  void find_interval() {
    std::vector<Run> base, candidate;
    for (const MeasuredRun& run : base_) base.push_back(run_of(run));
    for (const MeasuredRun& run : candidate_) candidate.push_back(run_of(run));
    const RunSpread spread = run_spread(base, candidate, assumed_spread());
    verdict_.run_spread_ratio = spread.deviation;
    verdict_.is_run_spread_measured = spread.is_measured;
    const double run_error =
        spread.deviation *
        std::sqrt(1 / static_cast<double>(base.size()) + 1 / static_cast<double>(candidate.size()));
    const double half_width = run_error > 0 ? run_error * student(spread.freedom) : 0;

    const Figure base_mean = mean_of(base, &Run::median);
    const Figure candidate_mean = mean_of(candidate, &Run::median);
    const Limits plain = difference(base_mean, candidate_mean, half_width);
    const Limits within = difference(base_mean, candidate_mean, 0);
    verdict_.within_runs_low_ratio = ratio_of(within.low);
    verdict_.within_runs_high_ratio = ratio_of(within.high);
    const Limits any_level =
        difference(mean_of(base, &Run::any_level), mean_of(candidate, &Run::any_level), half_width);
    Limits limits = any_level;
    if (const auto modes = both_modes(base, candidate, half_width)) {
      limits = *modes;
      verdict_.change_ratio = ratio_of(modes->center);
    }
    verdict_.low_ratio = ratio_of(limits.low);
    verdict_.high_ratio = ratio_of(limits.high);

    const bool has_levels = name_levels(base, candidate);
    if (limits.low > 0) {
      verdict_.judgement = Judgement::kSlower;
    } else if (limits.high < 0) {
      verdict_.judgement = Judgement::kFaster;
    } else if (has_levels && (plain.low > 0 || plain.high < 0)) {
      verdict_.judgement = Judgement::kUnclear;
    } else {
      verdict_.judgement = Judgement::kWithinNoise;
    }
    find_detectable(limits, within, run_error);
    // Modes that moved little leave open what their mix did.
    decide_gate(std::max(limits.high, any_level.high));
    describe(spread);
  }

  // The greater, where runs are of different devices.
  double assumed_spread() const {
    if (options_.assumed_run_spread_ratio) return *options_.assumed_run_spread_ratio;
    double greatest = 0;
    for (const auto runs : {base_, candidate_}) {
      for (const MeasuredRun& run : runs) greatest = std::max(greatest, run.assumed_spread_ratio);
    }
    return greatest;
  }

  // The change of the two modes that all runs have, where both moved to the same side: what their
  // mix did is then no matter of whether, only of how much.
  static std::optional<Limits> both_modes(std::span<const Run> base, std::span<const Run> candidate,
                                          double half_width) {
    double high_share = 0;
    for (const auto side : {base, candidate}) {
      for (const Run& run : side) {
        if (!run.has_modes) return std::nullopt;
        high_share += run.high_share / static_cast<double>(base.size() + candidate.size());
      }
    }
    const auto change = [&](Figure Run::* mode) {
      return difference(mean_of(base, mode), mean_of(candidate, mode), half_width);
    };
    const Limits low = change(&Run::lowest), high = change(&Run::highest);
    const bool is_slower = low.low > 0 && high.low > 0, is_faster = low.high < 0 && high.high < 0;
    if (!is_slower && !is_faster) return std::nullopt;
    return Limits{.center = (1 - high_share) * low.center + high_share * high.center,
                  .low = std::min(low.low, high.low),
                  .high = std::max(low.high, high.high)};
  }

  // The doubt is about the run whose levels are farthest apart.
  bool name_levels(std::span<const Run> base, std::span<const Run> candidate) {
    double widest = 0;
    for (const bool of_candidate : {true, false}) {
      const auto runs = of_candidate ? candidate : base;
      const auto measured = of_candidate ? candidate_ : base_;
      for (std::size_t i = 0; i < runs.size(); ++i) {
        if (measured[i].levels.size() < 2 || runs[i].span() <= widest) continue;
        widest = runs[i].span();
        const LevelKind kind = measured[i].levels.front().kind;
        set_doubt(kind == LevelKind::kDrift  ? Doubt::kDrift
                  : kind == LevelKind::kMode ? Doubt::kTwoModes
                                             : Doubt::kSteps,
                  of_candidate, i);
      }
    }
    return widest > 0;
  }

  void find_detectable(const Limits& limits, const Limits& within, double run_error) {
    const double distance = limits.center - limits.low;
    const double error =
        std::hypot((within.high - within.low) / (2 * normal(1 - kTail)), run_error);
    const double detectable = distance + normal(kPower) * error;
    verdict_.detectable_ratio = ratio_of(detectable);
    if (options_.fail_above_ratio) {
      verdict_.gate_detectable_ratio =
          ratio_of(std::log1p(*options_.fail_above_ratio) + detectable);
    }
  }

  void decide_gate(double highest) {
    if (!options_.fail_above_ratio) return;
    const double threshold = *options_.fail_above_ratio;
    verdict_.gate = *verdict_.low_ratio > threshold  ? GateResult::kFailed
                    : ratio_of(highest) <= threshold ? GateResult::kPassed
                                                     : GateResult::kUndecided;
  }

  void describe(const RunSpread& spread) {
    const auto lengths = [](std::span<const MeasuredRun> runs) {
      const auto [least, most] = std::ranges::minmax(runs, {}, &MeasuredRun::block_length);
      return least.block_length == most.block_length
                 ? base::format("{}", least.block_length)
                 : base::format("{} to {}", least.block_length, most.block_length);
    };
    const auto runs = [](std::size_t count) {
      return base::format("{} run{}", count, count == 1 ? "" : "s");
    };
    verdict_.method = base::format(
        "95 % interval of the ratio of medians: block bootstrap within runs (blocks of {} and {} "
        "samples); {} against {}, which differ by {:.2f} % from run to run ({})",
        lengths(base_), lengths(candidate_), runs(base_.size()), runs(candidate_.size()),
        spread.deviation * 100,
        !spread.is_measured ? "assumed"
        : spread.freedom > static_cast<double>(base_.size() + candidate_.size()) - 2
            ? "measured, together with what is assumed"
            : "measured");
    const bool has_levels = verdict_.doubt != Doubt::kNone;
    if (has_levels) verdict_.method += "; over all levels of runs that have several";
  }

  std::span<const MeasuredRun> base_, candidate_;
  const GateOptions& options_;
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

std::string_view to_string(Doubt doubt) {
  switch (doubt) {
    case Doubt::kNone:
      return "none";
    case Doubt::kNoTimes:
      return "no-times";
    case Doubt::kLayerSumsOnly:
      return "layer-sums-only";
    case Doubt::kNoSamples:
      return "no-samples";
    case Doubt::kDifferentFigures:
      return "different-figures";
    case Doubt::kTooFewSamples:
      return "too-few-samples";
    case Doubt::kDifferentStreams:
      return "different-streams";
    case Doubt::kDrift:
      return "drift";
    case Doubt::kSteps:
      return "steps";
    case Doubt::kTwoModes:
      return "two-modes";
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
  return Judge(base, candidate, options).judge();
}

}  // namespace planex::analyze
