#include "analyze/verdict/cpu_time.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"

namespace planex::analyze {
namespace {

std::optional<double> positive_time_metadata(const model::PlanModel& model, std::string_view key) {
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) != "times" || model.text(table.key[row]) != key) continue;
    const auto number = base::leading_number<double>(model.text(table.value[row]));
    return number && *number > 0 ? number : std::nullopt;
  }
  return std::nullopt;
}

double mean_logarithm(std::span<const MeasuredRun> runs) {
  double sum = 0;
  for (const MeasuredRun& run : runs) sum += std::log(run.cpu_time->per_inference_ms);
  return sum / static_cast<double>(runs.size());
}

}  // namespace

std::optional<CpuTime> cpu_time_of(const model::PlanModel& model) {
  const auto total_ms = positive_time_metadata(model, "cpu_ms");
  const auto threads = positive_time_metadata(model, "thread_count");
  const std::size_t count = model.iterations.row_count();
  if (!total_ms || !threads || count == 0 || !ran_on_processor(model)) return std::nullopt;
  return CpuTime{.per_inference_ms = *total_ms / static_cast<double>(count),
                 .thread_count = static_cast<std::int64_t>(*threads)};
}

std::optional<double> cpu_time_change(std::span<const MeasuredRun> base,
                                      std::span<const MeasuredRun> candidate) {
  if (base.empty() || candidate.empty()) return std::nullopt;
  const auto& first = base.front().cpu_time;
  for (const auto runs : {base, candidate}) {
    const bool is_known = std::ranges::all_of(runs, [&](const MeasuredRun& run) {
      return run.cpu_time && first && run.cpu_time->thread_count == first->thread_count;
    });
    if (!is_known) return std::nullopt;
  }
  return std::expm1(mean_logarithm(candidate) - mean_logarithm(base));
}

bool goes_by_cpu_time(std::span<const MeasuredRun> base, std::span<const MeasuredRun> candidate) {
  const auto was_busy = [](const MeasuredRun& run) { return run.was_machine_busy; };
  const auto is_alone = [](const MeasuredRun& run) { return run.concurrent == 1; };
  if (std::ranges::none_of(base, was_busy) && std::ranges::none_of(candidate, was_busy))
    return false;
  return cpu_time_change(base, candidate) && base.front().cpu_time->thread_count == 1 &&
         std::ranges::all_of(base, is_alone) && std::ranges::all_of(candidate, is_alone);
}

std::vector<MeasuredRun> by_cpu_time(std::span<const MeasuredRun> runs) {
  std::vector<MeasuredRun> figures;
  for (const MeasuredRun& run : runs) {
    const double ms = run.cpu_time->per_inference_ms;
    MeasuredRun& figure = figures.emplace_back();
    figure.source = TimeSource::kSamples;
    figure.field = "cpu_time";
    figure.median_ms = figure.median_low_ms = figure.median_high_ms = figure.located_ms = ms;
    figure.layer_sum_ms = run.layer_sum_ms;
    figure.layer_sum_basis = run.layer_sum_basis;
    figure.sample_count = figure.trusted_count = run.sample_count;
    figure.effective_count = static_cast<double>(run.sample_count);
    figure.block_length = 1;
    figure.steadiness =
        run.steadiness == Steadiness::kTooFew ? run.steadiness : Steadiness::kSteady;
    figure.assumed_spread_ratio = kAssumedProcessorSpreadRatio;
    figure.levels = {{.median_ms = ms, .low_ms = ms, .high_ms = ms}};
    figure.cpu_time = run.cpu_time;
    figure.was_machine_busy = run.was_machine_busy;
  }
  return figures;
}

}  // namespace planex::analyze
