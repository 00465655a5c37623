#include "analyze/timing/reconcile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "analyze/timing/measured_profile.h"
#include "analyze/work/measured_shapes.h"
#include "analyze/work/sums.h"
#include "analyze/work/work.h"
#include "base/numbers.h"
#include "base/statistics.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using model::PlanModel;

EndToEnd statistics_of(std::vector<double>& samples) {
  EndToEnd result;
  result.source = "times";
  result.count = static_cast<std::int64_t>(samples.size());
  result.mean_ms =
      std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  std::ranges::sort(samples);
  result.median_ms = base::quantile(samples, 0.50);
  result.p90_ms = base::quantile(samples, 0.90);
  result.p95_ms = base::quantile(samples, 0.95);
  result.p99_ms = base::quantile(samples, 0.99);
  result.min_ms = samples.front();
  result.max_ms = samples.back();
  return result;
}

// At most 24 bins between the minimum and p99, the last one open: outliers would flatten the rest.
// Steps are 1, 2 or 5 times a power of ten of a microsecond, since arbitrary widths produce combs.
std::optional<Histogram> histogram_of(const std::vector<double>& sorted) {
  constexpr int kMaxBins = 24;
  const double low = sorted.front();
  const double high = base::quantile(sorted, 0.99);
  // A day: longer times are wrong, and steps in doubles mean nothing.
  constexpr double kLongest = 86'400'000.0;
  if (sorted.size() < 10 || high <= low || std::abs(low) > kLongest || high > kLongest) {
    return std::nullopt;
  }
  double step = 0.001;
  for (int i = 0; (high - low) / step > kMaxBins && i < 60; ++i) step *= i % 3 == 1 ? 2.5 : 2.0;
  Histogram histogram;
  histogram.step_ms = step;
  histogram.start_ms = std::floor(low / step) * step;
  const auto bins = static_cast<std::size_t>((high - histogram.start_ms) / step) + 1;
  histogram.counts.assign(bins, 0);
  for (const double sample : sorted) {
    const double bin = (sample - histogram.start_ms) / step;  // beyond the range of integers for an
                                                              // outlier
    const auto last = static_cast<double>(bins - 1);
    ++histogram.counts[static_cast<std::size_t>(std::clamp(bin, 0.0, last))];
  }
  return histogram;
}

std::optional<std::string_view> metadata_value(const PlanModel& model, std::string_view section,
                                               std::string_view key) {
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) == section && model.text(table.key[row]) == key) {
      return model.text(table.value[row]);
    }
  }
  return std::nullopt;
}

// Nothing for inf and nan too: a run without inferences reports them.
std::optional<double> parse_number(std::string_view text) {
  return base::finite(base::leading_number<double>(text));
}

// The numbers of "[1, 2, null, nan]", unknown where one is not finite. Nothing where it is not such
// a list.
std::optional<std::vector<std::optional<double>>> parse_list(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
  std::vector<std::optional<double>> numbers;
  std::string_view rest = text.substr(1, text.size() - 2);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    // Python's json.dump(indent=4) puts each number on its own line.
    const std::string_view word = base::trimmed(rest.substr(0, comma));
    const auto number = parse_number(word);
    if (!number && word != "null" && !word.ends_with("nan") && !word.ends_with("inf")) {
      return std::nullopt;
    }
    numbers.push_back(number);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return numbers;
}

// "[min, max, mean, median, percentiles...]". Logs name the percentiles; TREx's files do not, and
// have p99, or p90, p95 and p99 (tensorrt-json, metadata files).
std::optional<EndToEnd> listed_figures(const PlanModel& model, std::string_view heading) {
  constexpr std::string_view kTrtexecSection = "performance_summary";
  const auto text = metadata_value(model, kTrtexecSection, heading);
  const auto figures = text ? parse_list(*text) : std::nullopt;
  constexpr std::size_t kMin = 4;
  if (!figures || figures->size() < kMin) return std::nullopt;
  std::vector<std::optional<double>> percentiles;
  if (const auto named = metadata_value(model, kTrtexecSection, "percentiles")) {
    percentiles = parse_list(*named).value_or(percentiles);
  } else if (figures->size() == kMin + 1) {
    percentiles = {99};
  } else if (figures->size() == kMin + 3) {
    percentiles = {90, 95, 99};
  }
  EndToEnd result;
  result.source = "log";
  result.field = "compute";
  result.min_ms = (*figures)[0];
  result.max_ms = (*figures)[1];
  result.mean_ms = (*figures)[2];
  result.median_ms = (*figures)[3];
  for (std::size_t i = 0; i < percentiles.size() && kMin + i < figures->size(); ++i) {
    const std::optional<double> figure = (*figures)[kMin + i];
    if (percentiles[i] == 90) result.p90_ms = figure;
    if (percentiles[i] == 95) result.p95_ms = figure;
    if (percentiles[i] == 99) result.p99_ms = figure;
  }
  return result;
}

std::optional<EndToEnd> summary_of_metadata(const PlanModel& model) {
  auto result = listed_figures(model, "GPU Compute Time");
  if (!result) return std::nullopt;
  if (const auto queries = metadata_value(model, "measurement", "queries")) {
    const auto count = base::leading_number<std::int64_t>(*queries);
    if (count) result->count = *count / implicit_batch(model).value_or(1);
  }
  return result;
}

// The figures from a benchmark's report, else from its log, as the readers name them
// (ingest/openvino/benchmark_facts.h).
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kBenchmarkSections = {
    {{"benchmark report", "report"}, {"benchmark log", "log"}}};

std::optional<double> figure(const PlanModel& model, std::string_view section,
                             std::string_view key) {
  const auto text = metadata_value(model, section, key);
  return text ? parse_number(*text) : std::nullopt;
}

std::optional<EndToEnd> summary_of_benchmark(const PlanModel& model) {
  for (const auto& [section, source] : kBenchmarkSections) {
    const auto value = [&](std::string_view key) { return figure(model, section, key); };
    EndToEnd result;
    result.median_ms = value("latency_median_ms");
    result.mean_ms = value("latency_mean_ms");
    if (!result.median_ms && !result.mean_ms) continue;
    result.source = source;
    result.field = "latency";
    result.count = static_cast<std::int64_t>(value("iterations").value_or(0));
    result.min_ms = value("latency_min_ms");
    result.max_ms = value("latency_max_ms");
    result.p90_ms = value("latency_p90_ms");
    result.p95_ms = value("latency_p95_ms");
    result.p99_ms = value("latency_p99_ms");
    result.has_layer_times = metadata_value(model, section, "layers_timed") == "true";
    return result;
  }
  return std::nullopt;
}

// Inferences, some of them with several in flight at once.
std::optional<double> throughput_of(const PlanModel& model) {
  if (const auto text = metadata_value(model, "performance_summary", "Throughput")) {
    const auto queries = parse_number(*text);
    const auto batch = implicit_batch(model);
    return queries && batch ? *queries / static_cast<double>(*batch) : queries;
  }
  if (const auto value = figure(model, "times", "throughput_per_s")) return value;
  for (const auto& [section, source] : kBenchmarkSections) {
    if (const auto value = figure(model, section, "throughput_per_s")) return value;
  }
  return std::nullopt;
}

// Sets of files are matched by name, so a summary can be left over from another build. The same
// figure of one engine differs less from run to run.
bool is_of_another_run(double summary_ms, double times_ms) {
  constexpr double kMaxApart = 0.1;
  return std::abs(summary_ms - times_ms) > kMaxApart * times_ms;
}

// GPU timers tick: every time is a multiple of one step. A known step is reported if all times are
// its multiples within the file's rounding, otherwise none.
std::optional<double> resolution_us(const PlanModel& model) {
  const model::LayersTable& layers = model.layers;
  std::vector<double> times;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    const auto time = model.time_ms(model::LayerId(row));
    if (time && *time > 0) times.push_back(*time * 1000.0);
  }
  // Steps seen in real profiles of NVIDIA GPUs: A100, RTX 3090, Titan RTX and A10 tick by 1.024 us,
  // one Python profiler's events by 0.032 us.
  constexpr std::size_t kMin = 8;
  for (const double step : {1.024, 0.032}) {
    std::size_t judged = 0;
    const bool all = std::ranges::all_of(times, [&](double time) {
      // Files print six digits, so for a long time the remainder within a step is lost.
      const double rounding = 0.002 + time * 5e-6;
      if (rounding > step / 8) return true;
      ++judged;
      const double multiple = time / step;
      return std::abs(multiple - std::round(multiple)) * step <= rounding;
    });
    if (all && judged >= kMin) return step;
  }
  return std::nullopt;
}

// Σ layers and its basis. Returns the number of layers that do work and have a time.
std::size_t add_up_layers(const PlanModel& model, Reconciliation& result) {
  const model::LayersTable& layers = model.layers;
  std::size_t timed = 0, with_median = 0, timed_work = 0, work_without_mean = 0;
  std::optional<double> means, medians;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!model.is_shown(model::LayerId(row))) continue;
    const auto mean = layers.mean_ms.get(row), median = layers.median_ms.get(row);
    const bool works = model.does_work(model::LayerId(row));
    if (!mean && !median) {
      if (works) ++result.layers_without_time;
      continue;
    }
    ++timed;
    with_median += static_cast<std::size_t>(median.has_value());
    add_to(means, mean);
    add_to(medians, median);
    if (works) {
      ++timed_work;
      work_without_mean += static_cast<std::size_t>(!mean.has_value());
      continue;
    }
    OtherRecords& others = result.others;
    ++others.count;
    add_to(others.mean_ms, mean);
    add_to(others.median_ms, median);
    const std::string_view type = model.text(layers.type[row]);
    if (!type.empty() && std::ranges::find(others.types, type) == others.types.end()) {
      others.types.emplace_back(type);
    }
  }
  std::ranges::sort(result.others.types);
  if (timed == 0) {
    result.layers_without_time = 0;
    return 0;
  }
  const bool has_medians = with_median == timed;
  result.basis = has_medians ? TimeBasis::kMedian : TimeBasis::kMean;
  result.layers_mean_ms = means;
  if (has_medians) {
    result.layers_median_ms = medians;
    return timed_work;
  }
  result.others.median_ms.reset();
  result.layers_without_time += static_cast<std::int64_t>(work_without_mean);
  return timed_work - work_without_mean;
}

// A single inference is a cold one: nothing runs at its rate.
bool is_single_inference(const EndToEnd& end) { return end.source == "times" && end.count == 1; }

// Minimum that three quarters of the layers take. Timing costs the same for every layer, so the
// excess of a few slow layers, such as one that stalled, is not such a cost.
double short_layer_ms(const PlanModel& model, TimeBasis basis) {
  std::vector<double> times;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (!model.is_shown(model::LayerId(row)) || !model.does_work(model::LayerId(row))) continue;
    if (const auto ms = layer_time(model, row, basis); ms && *ms > 0) times.push_back(*ms);
  }
  if (times.empty()) return 0;
  std::ranges::sort(times);
  return base::quantile(times, 0.25);
}

}  // namespace

const model::Real* end_to_end_column(const model::IterationsTable& table) {
  for (const model::Real* column : {&table.compute_ms, &table.latency_ms}) {
    const auto is_known = [](double value) { return !std::isnan(value); };
    if (table.row_count() > 0 && std::ranges::all_of(column->values(), is_known)) return column;
  }
  return nullptr;
}

std::string_view to_string(TimeBasis basis) {
  switch (basis) {
    case TimeBasis::kMedian:
      return "median";
    case TimeBasis::kMean:
      return "mean";
    case TimeBasis::kNone:
      break;
  }
  return {};
}

std::optional<double> layer_time(const PlanModel& model, std::size_t layer, TimeBasis basis) {
  switch (basis) {
    case TimeBasis::kMedian:
      return model.layers.median_ms.get(layer);
    case TimeBasis::kMean:
      return model.layers.mean_ms.get(layer);
    case TimeBasis::kNone:
      break;
  }
  return std::nullopt;
}

std::optional<EndToEnd> performance_figures(const PlanModel& model, std::string_view heading) {
  return listed_figures(model, heading);
}

Reconciliation reconcile(const PlanModel& model) {
  Reconciliation result;
  const std::size_t timed_work = add_up_layers(model, result);
  result.resolution_us = resolution_us(model);
  if (const auto text = metadata_value(model, "profile", "profiled_latency.median_ms")) {
    result.profiled_median_ms = parse_number(*text);
  }

  if (const model::Real* column = end_to_end_column(model.iterations)) {
    std::vector<double> samples(column->values().begin(), column->values().end());
    result.end_to_end = statistics_of(samples);
    result.end_to_end->field = column == &model.iterations.compute_ms ? "compute" : "latency";
    result.histogram = histogram_of(samples);
  } else {
    result.end_to_end = summary_of_metadata(model);
    if (!result.end_to_end) result.end_to_end = summary_of_benchmark(model);
  }
  if (result.end_to_end && result.end_to_end->source == "times" &&
      result.end_to_end->field == "compute") {
    const auto summary = summary_of_metadata(model);
    if (summary && summary->median_ms &&
        is_of_another_run(*summary->median_ms, *result.end_to_end->median_ms)) {
      result.foreign_summary_median_ms = summary->median_ms;
    }
  }
  if (!result.foreign_summary_median_ms) result.throughput_per_s = throughput_of(model);
  if (!measured_profile(model).is_shown) {
    result.is_of_other_profile = result.end_to_end || result.throughput_per_s;
    result.end_to_end.reset();
    result.histogram.reset();
    result.throughput_per_s.reset();
    result.foreign_summary_median_ms.reset();
    result.profiled_median_ms.reset();
  }
  if (result.end_to_end && result.end_to_end->median_ms && *result.end_to_end->median_ms > 0 &&
      !result.throughput_per_s && !is_single_inference(*result.end_to_end)) {
    result.throughput_per_s = 1000.0 / *result.end_to_end->median_ms;
  }
  const std::optional<double> sum = result.layers_ms();
  if (sum && result.end_to_end && result.end_to_end->median_ms) {
    result.gap_ms = *sum - *result.end_to_end->median_ms;
    // OpenVINO reads a clock around each layer, which costs next to nothing: what its layers take
    // longer than the inference is time in which the system ran something else.
    const bool has_overhead = model.text(model.engine.producer[0]) != "openvino";
    // A mean includes the inferences that stalled: it is compared with a mean.
    const auto whole = result.basis == TimeBasis::kMedian ? result.end_to_end->median_ms
                                                          : result.end_to_end->mean_ms;
    const double excess_ms = whole ? *sum - *whole : 0;
    if (excess_ms > 0 && timed_work > 0 && !result.end_to_end->has_layer_times && has_overhead) {
      const double overhead_ms = excess_ms / static_cast<double>(timed_work);
      if (overhead_ms <= short_layer_ms(model, result.basis)) {
        result.overhead_us_per_layer = overhead_ms * 1000.0;
      }
    }
  }
  return result;
}

}  // namespace planex::analyze
