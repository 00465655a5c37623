// Why the sum of layer times differs from the latency: the reconciliation of the design's section
// 4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

struct EndToEnd {
  // times (a times file), log (a performance summary in a log) or report (a benchmark's).
  std::string source;
  // Which figure: compute where the file has it, else latency.
  std::string field;
  std::int64_t count = 0;
  std::optional<double> mean_ms, median_ms, min_ms, max_ms, p90_ms, p95_ms, p99_ms;
  // The layers were timed in these very inferences, so the cost of timing them is unknown.
  bool has_layer_times = false;
};

struct Histogram {
  double start_ms = 0, step_ms = 0;
  std::vector<std::int64_t> counts;
};

enum class TimeBasis : std::uint8_t { kNone, kMean, kMedian };
// "median", "mean", or, without times, empty.
std::string_view to_string(TimeBasis basis);

// Records of the shown profile that do no work but have a time, such as the condition of an `If`:
// they are part of Σ layers, but of no group of layers.
struct OtherRecords {
  std::int64_t count = 0;
  std::optional<double> mean_ms, median_ms;  // sums; the median where Σ layers has one
  std::vector<std::string> types;            // each once, sorted
};

struct Reconciliation {
  // Σ layers: sums over all records of the shown profile that have a time. Null where no record has
  // one.
  std::optional<double> layers_mean_ms, layers_median_ms;
  OtherRecords others;
  // Layers that do work and have no time although others have: the sums lack them.
  std::int64_t layers_without_time = 0;
  // The base of shares: medians where every timed record has one, else means.
  TimeBasis basis = TimeBasis::kNone;
  // For the shown optimization profile, like all figures.
  std::optional<EndToEnd> end_to_end;
  // There are such times, but for another profile.
  bool is_of_other_profile = false;
  std::optional<Histogram> histogram;
  // Sum of layers under the basis less end to end.
  std::optional<double> gap_ms;
  // The excess of the layers over the inference, per layer that does work and was timed: medians
  // against a median, means against a mean. Null where that is not positive, exceeds the whole time
  // of most layers, both are from the same inferences, or the producer's timing costs next to
  // nothing (OpenVINO).
  std::optional<double> overhead_us_per_layer;
  // Median latency of the inferences that were profiled, if the driver measured it. If it is above
  // end to end, profiling or a busy machine slowed them down, and Σ layers with them.
  std::optional<double> profiled_median_ms;
  // The profiler's step: the greatest common step of the layer times, if any.
  std::optional<double> resolution_us;
  std::optional<double> throughput_per_s;
  // Median compute time of a performance summary that was found with the times but can't be from
  // the same run; nothing of that summary is used.
  std::optional<double> foreign_summary_median_ms;

  // Σ layers, and the part of it in records that do no work, under the basis.
  std::optional<double> layers_ms() const {
    return basis == TimeBasis::kMedian ? layers_median_ms : layers_mean_ms;
  }
  std::optional<double> others_ms() const {
    return basis == TimeBasis::kMedian ? others.median_ms : others.mean_ms;
  }
  // Ratio to Σ layers; null where that is not known or not positive.
  std::optional<double> share(std::optional<double> time_ms) const {
    const auto sum = layers_ms();
    return time_ms && sum && *sum > 0 ? std::optional(*time_ms / *sum) : std::nullopt;
  }
};

// The column of `iterations` that end to end comes from: compute where every row has it, else
// latency where every row has it, else null.
const model::Real* end_to_end_column(const model::IterationsTable& table);

Reconciliation reconcile(const model::PlanModel& model);

// The line of trtexec's performance summary with this heading, such as "H2D Latency"; null where
// the log has none.
std::optional<EndToEnd> performance_figures(const model::PlanModel& model,
                                            std::string_view heading);

// The time of a layer under the basis; null where it has none.
std::optional<double> layer_time(const model::PlanModel& model, std::size_t layer, TimeBasis basis);

}  // namespace planex::analyze
