#include "analyze/timing/timing_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>

#include "analyze/timing/timing_series.h"
#include "base/statistics.h"

namespace planex::analyze {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMinForBins = 10;
// Outliers beyond these would squeeze the rest into one bin.
constexpr double kAllTails = 0.005;
constexpr double kMiddleTails = 0.05;
constexpr double kNear = 0.25;
// Share of the bins; a middle with less is also drawn separately.
constexpr double kSmallMiddle = 0.25;

struct FieldColumn {
  std::string_view field;
  const model::Real* column;
};

std::vector<FieldColumn> columns_of(const model::IterationsTable& table, std::string_view first) {
  std::vector<FieldColumn> columns = {{"compute", &table.compute_ms},
                                      {"latency", &table.latency_ms},
                                      {"enqueue", &table.enqueue_ms},
                                      {"h2d", &table.h2d_ms},
                                      {"d2h", &table.d2h_ms}};
  std::ranges::stable_sort(columns, std::greater<>(),
                           [&](const FieldColumn& one) { return one.field == first; });
  return columns;
}

// Usable times by position; NaN where a sample has none.
std::vector<double> times_of(const model::Real& column, std::span<const std::size_t> order,
                             bool is_end_to_end) {
  std::vector<double> times;
  times.reserve(order.size());
  for (const std::size_t row : order) {
    const double ms = column.get(row).value_or(kNone);
    const bool usable = is_end_to_end ? ms > 0 : ms >= 0;
    times.push_back(usable && ms <= kLongestSampleMs ? ms : kNone);
  }
  return times;
}

std::vector<double> sorted_of(std::span<const double> times) {
  std::vector<double> sorted;
  std::ranges::copy_if(times, std::back_inserter(sorted),
                       [](double ms) { return !std::isnan(ms); });
  std::ranges::sort(sorted);
  return sorted;
}

std::optional<SampleFigures> figures_of(std::span<const double> sorted) {
  if (sorted.empty()) return std::nullopt;
  const auto count = static_cast<double>(sorted.size());
  return SampleFigures{.count = static_cast<std::int64_t>(sorted.size()),
                       .mean_ms = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count,
                       .median_ms = base::quantile(sorted, 0.50),
                       .min_ms = sorted.front(),
                       .p90_ms = base::quantile(sorted, 0.90),
                       .p95_ms = base::quantile(sorted, 0.95),
                       .p99_ms = base::quantile(sorted, 0.99),
                       .max_ms = sorted.back()};
}

// How well times fit multiples of the step: the mean cosine of their phases, 1 where all do, 0
// where they are anywhere.
double alignment(std::span<const double> times, double step) {
  double sum = 0;
  for (const double ms : times) sum += std::cos(2 * std::numbers::pi * ms / step);
  return sum / static_cast<double>(times.size());
}

// For NVIDIA's events, whose differences are computed in single precision: they are off by a tenth
// of it.
constexpr double kEventStepMs = 1.024e-3;

// The coarsest step that nearly all times are multiples of, among the steps of known clocks and the
// decimals of files.
std::optional<double> step_of(std::span<const double> sorted) {
  constexpr std::array kStepsMs = {1.0, 0.1, 0.01, kEventStepMs, 1e-3, 1e-4, 1e-5, 1e-6};
  constexpr double kAligned = 0.8;
  constexpr double kMinSteps = 2;
  if (sorted.size() < kMinForBins) return std::nullopt;
  // Without the tails, which can be anywhere.
  const std::size_t tail = sorted.size() / 20;
  const auto middle = sorted.subspan(tail, sorted.size() - 2 * tail);
  for (const double step : kStepsMs) {
    if (middle.back() - middle.front() < kMinSteps * step) continue;
    // Beyond this, doubles have no phase.
    if (middle.back() / step > 1e12) break;
    const double aligned = alignment(middle, step);
    // For small times, a microsecond looks like an event's step.
    if (step == kEventStepMs && alignment(middle, 1e-3) > aligned) continue;
    if (aligned >= kAligned) return step;
  }
  return std::nullopt;
}

// A bin width for which at most kMaxBins are needed: 1, 2 or 5 times a power of ten, which decimal
// steps divide, or a multiple of a step that is not decimal.
double bin_width(double range_ms, std::optional<double> step) {
  constexpr double kMax = kMaxBins - 2;
  if (step == kEventStepMs) return *step * std::max(1.0, std::ceil(range_ms / (*step * kMax)));
  const double least = std::max(range_ms / kMax, step.value_or(0));
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    // A power of ten can be slightly smaller than its nominal value.
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::optional<SampleBins> bins_of(std::span<const double> sorted, std::span<const double> trusted,
                                  std::optional<double> step, double tails) {
  if (sorted.size() < kMinForBins) return std::nullopt;
  double low = base::quantile(sorted, tails), high = base::quantile(sorted, 1 - tails);
  const double near = kNear * (high - low);
  if (low - sorted.front() <= near) low = sorted.front();
  if (sorted.back() - high <= near) high = sorted.back();
  // Differences below the resolution of a double of that size count as equal.
  if (high - low <= 1e-9 * high) return std::nullopt;
  SampleBins bins;
  bins.step_ms = bin_width(high - low, step);
  // Edges are between two multiples of the step, so that rounding moves no sample over an edge;
  // with steps much finer than a bin it doesn't matter, and round edges are better.
  constexpr double kFine = 0.1;
  const double shift = step && *step >= kFine * bins.step_ms ? *step / 2 : 0;
  bins.start_ms = std::floor((low + shift) / bins.step_ms) * bins.step_ms - shift;
  const auto count = static_cast<std::size_t>((high - bins.start_ms) / bins.step_ms) + 1;
  bins.counts.assign(count, 0);
  const auto bin_of = [&](double ms) { return std::floor((ms - bins.start_ms) / bins.step_ms); };
  for (const double ms : sorted) {
    const double bin = bin_of(ms);
    if (bin < 0) {
      ++bins.below;
    } else if (bin >= static_cast<double>(count)) {
      ++bins.above;
    } else {
      ++bins.counts[static_cast<std::size_t>(bin)];
    }
  }
  bins.trusted.assign(count, 0);
  for (const double ms : trusted) {
    const double bin = bin_of(ms);
    if (bin >= 0 && bin < static_cast<double>(count)) ++bins.trusted[static_cast<std::size_t>(bin)];
  }
  return bins;
}

// Null where the middle has enough room, or no finer bins exist.
std::optional<SampleBins> middle_bins_of(std::span<const double> sorted,
                                         std::span<const double> trusted,
                                         std::optional<double> step,
                                         const std::optional<SampleBins>& bins) {
  if (!bins) return std::nullopt;
  const double middle =
      base::quantile(sorted, 1 - kMiddleTails) - base::quantile(sorted, kMiddleTails);
  const double all = bins->step_ms * static_cast<double>(bins->counts.size());
  if (middle >= kSmallMiddle * all) return std::nullopt;
  auto finer = bins_of(sorted, trusted, step, kMiddleTails);
  return finer && finer->step_ms < bins->step_ms ? finer : std::nullopt;
}

class Buckets {
 public:
  Buckets(std::span<const double> times, std::span<const double> starts)
      : times_(times), starts_(starts), count_(std::min(kMaxBuckets, times.size())) {}

  SampleBuckets all() const {
    SampleBuckets buckets;
    const std::size_t around = buckets_around();
    std::vector<double> window;
    for (std::size_t i = 0; i < count_; ++i) {
      const auto own = times_.subspan(begin(i), begin(i + 1) - begin(i));
      double min = kNone, max = kNone;
      for (const double ms : own) {
        // Comparisons with NaN are false.
        if (!(ms >= min)) min = std::isnan(ms) ? min : ms;
        if (!(ms <= max)) max = std::isnan(ms) ? max : ms;
      }
      buckets.first.push_back(static_cast<std::int64_t>(begin(i)));
      buckets.min_ms.push_back(min);
      buckets.max_ms.push_back(max);
      const std::size_t from = begin(i - std::min(i, around));
      const std::size_t end = begin(std::min(i + around, count_ - 1) + 1);
      window.clear();
      std::ranges::copy_if(times_.subspan(from, end - from), std::back_inserter(window),
                           [](double ms) { return !std::isnan(ms); });
      buckets.running_ms.push_back(window.empty() ? kNone : median_of(window));
      if (!starts_.empty()) buckets.start_ms.push_back(starts_[begin(i)]);
    }
    return buckets;
  }

 private:
  std::size_t begin(std::size_t bucket) const { return bucket * times_.size() / count_; }

  // Number of buckets on either side that the running median includes.
  std::size_t buckets_around() const {
    const std::size_t size = std::max<std::size_t>(1, times_.size() / count_);
    const std::size_t wanted = (kRunningSamples + size - 1) / size;
    return std::max(kRunningBuckets, wanted) / 2;
  }

  static double median_of(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1) return *middle;
    return std::midpoint(*std::max_element(values.begin(), middle), *middle);
  }

  std::span<const double> times_, starts_;
  std::size_t count_;
};

// Since the first one; empty where one is missing.
std::vector<double> starts_of(const model::IterationsTable& table,
                              std::span<const std::size_t> order) {
  std::vector<double> starts;
  starts.reserve(order.size());
  for (const std::size_t row : order) {
    const auto start = table.start_ms.get(row);
    if (!start || !std::isfinite(*start)) return {};
    starts.push_back(*start);
  }
  if (starts.empty()) return starts;
  const double origin = starts.front();
  // A microsecond is invisible on an axis of seconds.
  for (double& start : starts) start = std::round((start - origin) * 1e3) / 1e3;
  return starts;
}

bool are_same(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(
      a, b, [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TimingSamples timing_samples(const model::PlanModel& model,
                             const std::optional<SteadyState>& state) {
  TimingSamples result;
  if (!state) return result;
  const model::IterationsTable& table = model.iterations;
  const std::vector<std::size_t> order = inference_order(table);
  const std::vector<double> starts = starts_of(table, order);
  result.sample_count = static_cast<std::int64_t>(order.size());
  const std::size_t steady_from =
      state->warm_up ? static_cast<std::size_t>(state->warm_up->range.last) + 1 : 0;
  std::vector<std::vector<double>> drawn;  // only fields that differ from all others
  std::vector<std::string_view> drawn_fields;
  for (const FieldColumn& one : columns_of(table, state->field)) {
    const bool is_end_to_end = one.field == state->field;
    std::vector<double> times = times_of(*one.column, order, is_end_to_end);
    const std::vector<double> sorted = sorted_of(times);
    if (sorted.empty()) continue;
    FieldSamples field{.field = one.field, .is_end_to_end = is_end_to_end};
    field.all = figures_of(sorted);
    std::vector<double> trusted;
    if (state->trusted) {
      const auto first = static_cast<std::size_t>(state->trusted->range.first);
      const auto last = static_cast<std::size_t>(state->trusted->range.last);
      trusted = sorted_of(std::span(times).subspan(first, last - first + 1));
      field.trusted = figures_of(trusted);
    }
    const auto same = std::ranges::find_if(
        drawn, [&](const std::vector<double>& other) { return are_same(other, times); });
    if (same != drawn.end()) {
      field.same_as = drawn_fields[static_cast<std::size_t>(same - drawn.begin())];
    } else {
      const std::vector<double> steady = sorted_of(std::span(times).subspan(steady_from));
      field.step_ms = step_of(steady);
      field.bins = bins_of(steady, trusted, field.step_ms, kAllTails);
      field.middle_bins = middle_bins_of(steady, trusted, field.step_ms, field.bins);
      field.buckets = Buckets(times, starts).all();
      drawn.push_back(std::move(times));
      drawn_fields.push_back(one.field);
    }
    result.fields.push_back(std::move(field));
  }
  return result;
}

}  // namespace planex::analyze
