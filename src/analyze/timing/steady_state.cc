#include "analyze/timing/steady_state.h"

#include <algorithm>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>

#include "analyze/timing/distributions.h"
#include "analyze/timing/level_shifts.h"
#include "analyze/timing/measured_profile.h"
#include "analyze/timing/spikes.h"
#include "analyze/timing/timer_step.h"
#include "analyze/timing/timing_series.h"
#include "analyze/timing/trend.h"
#include "analyze/timing/two_modes.h"
#include "base/statistics.h"

namespace planex::analyze {
namespace {

// A spike is this many robust standard deviations above its level: 1 in 10⁹ of normal samples, 1 in
// 1 000 of the long tails (Laplace) that times of programs have.
constexpr double kSpikeDeviations = 6.0;
// And at least this far: with coarse timers and very quiet series, every tick would be a spike.
constexpr double kMinSpikeRatio = 0.01;
// Deviating first samples are warm-up if later samples seldom deviate.
constexpr double kMaxStrayShare = 0.01;
constexpr std::size_t kSureStrayRun = 3;
// For the trend test: one in a thousand series without a trend.
constexpr double kMaxTrendPValue = 0.001;
// Few, since pairs are compared; and the longer a block, the less it is correlated with the next
// one.
constexpr std::size_t kMaxTrendBlocks = 60;
// Modes are looked for within these quantiles: spikes would stretch the histogram.
constexpr double kModesFrom = 0.005, kModesTo = 0.97;
// Modes whose runs last this long on average are not drawn sample by sample.
constexpr double kLastingRun = 4.0;
// Changes by more than this factor are not caused by a clock.
constexpr double kMaxClockRatio = 2.0;
constexpr std::size_t kOverviewParts = 60;
constexpr double kConfidence = 0.95;

double mean_of_samples(std::span<const double> samples) {
  return boost::math::statistics::mean(samples.begin(), samples.end());
}

double variation_of(std::span<const double> samples) {
  return std::sqrt(boost::math::statistics::variance(samples.begin(), samples.end())) /
         mean_of_samples(samples);
}

class Finder {
 public:
  Finder(const TimingSeries& series, SteadyState& state) : series_(series), state_(state) {}

  void run() {
    shifts_ = find_level_shifts(series_.ms);
    start_ = shifts_.phases[shifts_.warm_up_phases].first;
    find_drift();
    choose_trusted();
    find_tick();
    find_relative();
    find_modes();
    find_spike_threshold();
    take_stray_start();
    find_spikes();
    fill_phases();
    fill_excursions();
    fill_levels();
    fill_trusted();
    find_clock_signs();
    choose_verdict();
  }

 private:
  std::size_t size() const { return series_.ms.size(); }
  bool is_timed() const { return !series_.start_ms.empty(); }
  std::size_t phase_count() const { return shifts_.phases.size(); }
  bool has_steps() const { return phase_count() - shifts_.warm_up_phases > 1; }

  SampleRange range_of(std::size_t first, std::size_t end) const {
    SampleRange range{.first = series_.positions[first],
                      .last = series_.positions[end - 1],
                      .count = static_cast<std::int64_t>(end - first)};
    if (is_timed()) {
      range.start_ms = series_.start_ms[first];
      range.end_ms = series_.start_ms[end - 1] + series_.ms[end - 1];
    }
    return range;
  }

  std::span<const double> samples(std::size_t first, std::size_t end) const {
    return std::span(series_.ms).subspan(first, end - first);
  }

  // Median and slope of what follows the warm-up, over medians of blocks.
  void find_drift() {
    const std::size_t count = size() - start_;
    const std::size_t block =
        std::max<std::size_t>(5, (count + kMaxTrendBlocks - 1) / kMaxTrendBlocks);
    std::vector<double> at, at_s, medians;
    for (std::size_t first = start_; first + block <= size(); first += block) {
      const auto values = samples(first, first + block);
      medians.push_back(median_of({values.begin(), values.end()}));
      const std::size_t middle = first + block / 2;
      at.push_back(static_cast<double>(middle));
      if (is_timed()) at_s.push_back(series_.start_ms[middle] / 1000);
    }
    constexpr std::size_t kMinTrendBlocks = 6;
    if (medians.size() < kMinTrendBlocks) return;
    const Trend trend = find_trend(at, medians);
    const double level = median_of(medians);
    Drift drift;
    drift.change_ratio = trend.slope * static_cast<double>(count) / level;
    drift.per_1000_samples_ratio = trend.slope * 1000 / level;
    if (is_timed()) drift.per_second_ratio = find_trend(at_s, medians).slope / level;
    drift.p_value = trend.p_value;
    drift.is_significant = !has_steps() && trend.p_value < kMaxTrendPValue &&
                           std::abs(drift.change_ratio) >= kMinChangeRatio;
    slope_ = drift.is_significant ? trend.slope : 0;
    state_.drift = drift;
  }

  // The longest phase after the warm-up.
  void choose_trusted() {
    trusted_ = shifts_.warm_up_phases;
    for (std::size_t i = trusted_; i < phase_count(); ++i) {
      const auto length = [&](std::size_t k) {
        return shifts_.phases[k].end - shifts_.phases[k].first;
      };
      if (length(i) > length(trusted_)) trusted_ = i;
    }
  }

  void find_tick() {
    const Phase& trusted = shifts_.phases[trusted_];
    const auto values = samples(trusted.first, trusted.end);
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    tick_ratio_ = timer_step(sorted).value_or(0) / trusted.median;
  }

  // Each sample divided by the level at its place: 1 is normal there.
  void find_relative() {
    relative_.resize(size());
    for (const Phase& phase : shifts_.phases) {
      const double middle = 0.5 * static_cast<double>(phase.first + phase.end);
      const bool slides = phase.first >= start_;
      for (std::size_t i = phase.first; i < phase.end; ++i) {
        const double level =
            phase.median + (slides ? slope_ * (static_cast<double>(i) - middle) : 0);
        relative_[i] = series_.ms[i] / std::max(level, phase.median / 2);
      }
    }
  }

  std::span<const double> steady_part() const { return std::span(relative_).subspan(start_); }

  // For the trusted samples only: phases with different levels would look like modes.
  void find_modes() {
    const Phase& trusted = shifts_.phases[trusted_];
    if (trusted.end - trusted.first < kMinSamples) return;
    std::vector<double> sorted(relative_.begin() + static_cast<std::ptrdiff_t>(trusted.first),
                               relative_.begin() + static_cast<std::ptrdiff_t>(trusted.end));
    std::ranges::sort(sorted);
    const auto n = static_cast<double>(sorted.size());
    const auto first = static_cast<std::size_t>(kModesFrom * n);
    const auto end = static_cast<std::size_t>(std::ceil(kModesTo * n));
    modes_ = find_two_modes(std::span(sorted).subspan(first, end - first), tick_ratio_);
    if (!modes_) return;
    const double level = trusted.median;
    const auto above = static_cast<double>(
        std::ranges::count_if(sorted, [&](double value) { return value > modes_->split; }));
    Modes modes{.low_ms = modes_->low * level,
                .high_ms = modes_->high * level,
                .low_share = 1 - above / n,
                .high_share = above / n,
                .change_ratio = modes_->high / modes_->low - 1,
                .bic_gain = modes_->bic_gain};
    // Runs of the rarer side.
    const bool high_is_rare = modes.high_share < 0.5;
    std::vector<double> positions, starts;
    std::int64_t runs = 1;
    for (std::size_t i = trusted.first; i < trusted.end; ++i) {
      const bool high = relative_[i] > modes_->split;
      const bool changes = i > trusted.first && high != (relative_[i - 1] > modes_->split);
      if (changes) ++runs;
      if (changes && high == high_is_rare) {
        positions.push_back(static_cast<double>(i));
        if (is_timed()) starts.push_back(series_.start_ms[i]);
      }
    }
    modes.mean_run = n / static_cast<double>(runs);
    modes.period = find_pattern(positions, starts, sorted.size()).period;
    state_.modes = std::move(modes);
  }

  void find_spike_threshold() {
    double center = 1;
    std::vector<double> judged(steady_part().begin(), steady_part().end());
    if (modes_) {
      // A spike is beyond the slower mode.
      std::erase_if(judged, [&](double value) { return value <= modes_->split; });
      center = modes_->high;
    }
    // Where most samples are one tick the deviation would be 0, and every other tick a spike.
    spread_steps(judged, tick_ratio_);
    const double deviation = robust_deviation(judged, center);
    threshold_ = center - 1 + std::max(kSpikeDeviations * deviation, kMinSpikeRatio);
  }

  bool is_spike(std::size_t i) const { return relative_[i] > 1 + threshold_; }

  // The first samples can deviate without lasting long enough for a phase.
  void take_stray_start() {
    if (shifts_.warm_up_phases > 0) return;
    const auto is_stray = [&](std::size_t i) { return std::abs(relative_[i] - 1) > threshold_; };
    std::size_t run = 0;
    while (run + kMinSamples < size() && is_stray(run)) ++run;
    if (run == 0 || run >= shifts_.phases.front().end) return;
    std::size_t others = 0;
    for (std::size_t i = run; i < size(); ++i) others += is_stray(i) ? 1U : 0U;
    const bool seldom =
        static_cast<double>(others) <= kMaxStrayShare * static_cast<double>(size() - run);
    if (!seldom && run < kSureStrayRun) return;
    const auto first = samples(0, run);
    shifts_.phases.front().first = run;
    shifts_.phases.insert(
        shifts_.phases.begin(),
        Phase{.first = 0, .end = run, .median = median_of({first.begin(), first.end()})});
    shifts_.warm_up_phases = 1;
    is_stray_start_ = true;
    ++trusted_;
    start_ = run;
  }

  void find_spikes() {
    std::vector<double> positions, starts, values;
    double beyond = 0, all = 0;
    for (std::size_t i = start_; i < size(); ++i) {
      all += series_.ms[i];
      if (!is_spike(i)) continue;
      positions.push_back(static_cast<double>(i));
      if (is_timed()) starts.push_back(series_.start_ms[i]);
      values.push_back(series_.ms[i]);
      beyond += series_.ms[i] - series_.ms[i] / relative_[i];
    }
    Spikes spikes{
        .threshold_ratio = threshold_,
        .count = static_cast<std::int64_t>(values.size()),
        .share = static_cast<double>(values.size()) / static_cast<double>(size() - start_),
        .cost_share = beyond / all};
    if (!values.empty()) {
      spikes.max_ms = std::ranges::max(values);
      spikes.median_ms = median_of(std::move(values));
      EventPattern pattern = find_pattern(positions, starts, size() - start_);
      spikes.burst_count = pattern.burst_count;
      spikes.period = std::move(pattern.period);
      spikes.inner_period = std::move(pattern.inner_period);
    }
    state_.spikes = std::move(spikes);
  }

  void fill_phases() {
    const double trusted = shifts_.phases[trusted_].median;
    for (std::size_t i = 0; i < phase_count(); ++i) {
      const Phase& phase = shifts_.phases[i];
      const auto values = samples(phase.first, phase.end);
      TimingPhase shown{.range = range_of(phase.first, phase.end),
                        .is_warm_up = i < shifts_.warm_up_phases,
                        .is_trusted = i == trusted_,
                        .median_ms = phase.median,
                        .spread_ratio = robust_deviation(values, phase.median) / phase.median,
                        .change_ratio = (phase.median - trusted) / trusted};
      for (std::size_t k = phase.first; k < phase.end; ++k) {
        shown.spike_count += is_spike(k) && k >= start_ ? 1 : 0;
      }
      state_.phases.push_back(shown);
      if (i > shifts_.warm_up_phases) {
        const double before = shifts_.phases[i - 1].median;
        state_.steps.push_back({.at = shown.range.first,
                                .at_ms = shown.range.start_ms,
                                .before_ms = before,
                                .after_ms = phase.median,
                                .change_ratio = (phase.median - before) / before});
      }
    }
    if (shifts_.warm_up_phases > 0) {
      const auto rest = samples(start_, size());
      state_.warm_up = WarmUp{.range = range_of(0, start_),
                              .from_ms = shifts_.phases.front().median,
                              .to_ms = median_of({rest.begin(), rest.end()})};
    }
  }

  void fill_excursions() {
    for (const Phase& excursion : shifts_.excursions) {
      const auto values = samples(excursion.first, excursion.end);
      const double median = median_of({values.begin(), values.end()});
      const auto phase = std::ranges::find_if(
          shifts_.phases, [&](const Phase& one) { return one.end >= excursion.end; });
      state_.excursions.push_back({.range = range_of(excursion.first, excursion.end),
                                   .median_ms = median,
                                   .change_ratio = median / phase->median - 1});
    }
  }

  void fill_levels() {
    std::vector<Phase> sorted(
        shifts_.phases.begin() + static_cast<std::ptrdiff_t>(shifts_.warm_up_phases),
        shifts_.phases.end());
    std::ranges::sort(sorted, {}, &Phase::median);
    double lowest = 0, weighted = 0, count = 0;
    const auto close_level = [&] {
      if (count > 0) {
        state_.levels.push_back(
            {.median_ms = weighted / count, .share = count / static_cast<double>(size() - start_)});
      }
      weighted = count = 0;
    };
    for (const Phase& phase : sorted) {
      if (phase.median > lowest * (1 + kMinChangeRatio)) {
        close_level();
        lowest = phase.median;
      }
      const auto length = static_cast<double>(phase.end - phase.first);
      weighted += phase.median * length;
      count += length;
    }
    close_level();
  }

  void fill_trusted() {
    const Phase& phase = shifts_.phases[trusted_];
    if (phase.end - phase.first < kMinSamples) return;
    const auto values = samples(phase.first, phase.end);
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    TrustedFigures figures{
        .range = range_of(phase.first, phase.end),
        .share = static_cast<double>(sorted.size()) / static_cast<double>(size()),
        .median_ms = base::quantile(sorted, 0.50),
        .mean_ms = mean_of_samples(values),
        .p90_ms = base::quantile(sorted, 0.90),
        .p95_ms = base::quantile(sorted, 0.95),
        .p99_ms = base::quantile(sorted, 0.99),
        .min_ms = sorted.front(),
        .max_ms = sorted.back(),
        .variation = variation_of(values)};
    std::vector<double> clipped(relative_.begin() + static_cast<std::ptrdiff_t>(phase.first),
                                relative_.begin() + static_cast<std::ptrdiff_t>(phase.end));
    for (double& value : clipped) value = std::min(value, 1 + threshold_);
    find_memory(clipped, figures);
    const auto n = std::max(1.0, std::floor(figures.effective_count));
    // Both ranks from the lower one: the distribution is symmetric.
    const double rank = binomial_quantile_down(n, 0.5, (1 - kConfidence) / 2);
    const double lower = std::max(0.0, (rank - 1) / std::max(1.0, n - 1));
    figures.median_low_ms = base::quantile(sorted, std::min(lower, 0.5));
    figures.median_high_ms = base::quantile(sorted, std::max(1 - lower, 0.5));
    state_.trusted = figures;
  }

  // Autocorrelation of neighbours, and the number of independent samples that the mean is worth, by
  // batch means of √n samples each.
  static void find_memory(std::span<const double> values, TrustedFigures& figures) {
    const auto n = static_cast<double>(values.size());
    const double mean = mean_of_samples(values);
    const double variance = boost::math::statistics::variance(values.begin(), values.end());
    figures.effective_count = n;
    if (!(variance > 0)) return;
    double together = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
      together += (values[i] - mean) * (values[i - 1] - mean);
    }
    figures.autocorrelation = together / (n * variance);
    const auto batch = static_cast<std::size_t>(std::sqrt(n));
    std::vector<double> means;
    for (std::size_t first = 0; first + batch <= values.size(); first += batch) {
      means.push_back(mean_of_samples(values.subspan(first, batch)));
    }
    const double between = boost::math::statistics::sample_variance(means.begin(), means.end());
    figures.effective_count = n / std::max(1.0, between * static_cast<double>(batch) / variance);
  }

  // A change that a clock could cause: within its range, and more than the spread of the samples.
  bool is_clear(double before, double after, double spread_ratio) const {
    const double ratio = std::max(before, after) / std::min(before, after);
    return ratio < kMaxClockRatio && ratio - 1 > spread_ratio;
  }

  void find_clock_signs() {
    auto& signs = state_.clock_signs;
    for (std::size_t i = shifts_.warm_up_phases + 1; i < phase_count(); ++i) {
      const TimingPhase& before = state_.phases[i - 1];
      const TimingPhase& after = state_.phases[i];
      if (is_clear(before.median_ms, after.median_ms,
                   std::max(before.spread_ratio, after.spread_ratio))) {
        signs.push_back(ClockSign::kSteps);
        break;
      }
    }
    if (state_.warm_up && !is_stray_start_ &&
        is_clear(state_.warm_up->from_ms, state_.warm_up->to_ms,
                 std::max(state_.phases.front().spread_ratio,
                          state_.phases[shifts_.warm_up_phases].spread_ratio))) {
      signs.push_back(ClockSign::kWarmUp);
    }
    if (state_.drift && state_.drift->is_significant) signs.push_back(ClockSign::kDrift);
    if (state_.modes && state_.modes->mean_run >= kLastingRun &&
        state_.modes->change_ratio < kMaxClockRatio - 1) {
      signs.push_back(ClockSign::kModes);
    }
  }

  void choose_verdict() {
    if (!state_.steps.empty()) {
      state_.verdict = Steadiness::kSteps;
    } else if (state_.drift && state_.drift->is_significant) {
      state_.verdict = Steadiness::kDrifts;
    } else if (state_.modes) {
      state_.verdict = Steadiness::kTwoModes;
    } else {
      state_.verdict = state_.warm_up ? Steadiness::kAfterStart : Steadiness::kSteady;
    }
  }

  const TimingSeries& series_;
  SteadyState& state_;
  LevelShifts shifts_;
  std::size_t start_ = 0;    // the first sample after the warm-up
  std::size_t trusted_ = 0;  // phase
  double slope_ = 0;         // ms per sample
  double tick_ratio_ = 0;    // of the timer, relative to the level; 0 where no step shows
  std::vector<double> relative_;
  std::optional<TwoModes> modes_;
  double threshold_ = 0;
  bool is_stray_start_ = false;
};

TimingOverview overview_of(std::span<const double> samples) {
  TimingOverview overview;
  const std::size_t parts = std::min(kOverviewParts, samples.size());
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t first = part * samples.size() / parts;
    const std::size_t end = (part + 1) * samples.size() / parts;
    const auto values = samples.subspan(first, end - first);
    overview.median_ms.push_back(median_of({values.begin(), values.end()}));
    overview.max_ms.push_back(std::ranges::max(values));
  }
  return overview;
}

}  // namespace

std::string_view to_string(ClockSign sign) {
  switch (sign) {
    case ClockSign::kSteps:
      return "steps";
    case ClockSign::kWarmUp:
      return "warm-up";
    case ClockSign::kDrift:
      return "drift";
    case ClockSign::kModes:
      return "modes";
  }
  return {};
}

SteadyState find_steady_state(const TimingSeries& series) {
  SteadyState state;
  state.field = series.field;
  state.sample_count = static_cast<std::int64_t>(series.ms.size());
  state.unusable_count = series.unusable_count;
  if (series.ms.empty()) return state;
  if (!series.start_ms.empty()) {
    state.duration_ms = series.start_ms.back() + series.ms.back() - series.start_ms.front();
  }
  state.overview = overview_of(series.ms);
  if (series.ms.size() < kMinSamples) return state;
  state.variation = variation_of(series.ms);
  Finder(series, state).run();
  return state;
}

std::optional<SteadyState> find_steady_state(const model::PlanModel& model) {
  const auto series = timing_series(model.iterations);
  if (!series || !measured_profile(model).is_shown) return std::nullopt;
  SteadyState state = find_steady_state(*series);
  if (series->ms.empty()) return state;
  const Overlap overlap = find_overlap(model.iterations);
  state.overlapping_share = overlap.share;
  state.concurrent = overlap.depth;
  return state;
}

}  // namespace planex::analyze
