#include "render/fields/timing.h"

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "render/fields/common.h"
#include "render/fields/machine.h"
#include "render/words/timing_sentences.h"

namespace planex::render {
namespace {

using analyze::SampleBins;
using analyze::SampleBuckets;
using analyze::SampleFigures;
using analyze::SampleRange;
using analyze::SteadyState;
using record::Fields;

const Fields<SampleRange>& range_fields() {
  static const auto kFields =
      Fields<SampleRange>("SampleRange", "Consecutive samples.")
          .field("first", "", "Position of the first sample, by start, from 0.",
                 &SampleRange::first)
          .field("last", "", "Position of the last one.", &SampleRange::last)
          .field("count", "count", "Usable samples in it.", &SampleRange::count)
          .field("start_ms", "ms",
                 "Since the start of the first sample; null where the file has no start times.",
                 &SampleRange::start_ms)
          .field("end_ms", "ms", "End of the last one, since the start of the first sample.",
                 &SampleRange::end_ms);
  return kFields;
}

const Fields<analyze::Period>& period_fields() {
  using analyze::Period;
  static const auto kFields =
      Fields<Period>("Period", "Events that come regularly.")
          .field("period_ms", "ms", "Time from one to the next.", &Period::ms)
          .field("period_samples", "count", "Samples from one to the next.", &Period::samples)
          .field("regular_in", "", "Which of the two is more regular.", &Period::regular_in)
          .one_of({"time", "samples", "both"})
          .field("event_count", "count", "Events.", &Period::event_count)
          .field("hit_ratio", "ratio", "Share of all intervals that are one to three periods.",
                 &Period::hit_ratio)
          .field("tolerance", "ratio", "The largest deviation of hits from the period, as a ratio.",
                 &Period::tolerance)
          .field("p_value", "", "How likely that is by chance.", &Period::p_value);
  return kFields;
}

const Fields<analyze::WarmUp>& warm_up_fields() {
  using analyze::WarmUp;
  static const auto kFields =
      Fields<WarmUp>("WarmUp", "Samples before the times settle.")
          .with(range_fields(), &WarmUp::range)
          .field("from_ms", "ms", "Median of its first phase.", &WarmUp::from_ms)
          .field("to_ms", "ms", "Median of what follows.", &WarmUp::to_ms);
  return kFields;
}

const Fields<analyze::Drift>& drift_fields() {
  using analyze::Drift;
  static const auto kFields =
      Fields<Drift>("Drift", "A trend over all samples after the warm-up.")
          .field("is_significant", "",
                 "It is beyond chance, large enough to matter, and explains more than steps would.",
                 &Drift::is_significant)
          .field("change_ratio", "ratio",
                 "Change from the end of the warm-up to the last sample, relative to the median.",
                 &Drift::change_ratio)
          .field("per_1000_samples_ratio", "ratio", "The same per 1000 samples.",
                 &Drift::per_1000_samples_ratio)
          .field("per_second_ratio", "ratio", "The same per second.", &Drift::per_second_ratio)
          .field("p_value", "", "How likely it is by chance.", &Drift::p_value);
  return kFields;
}

const Fields<analyze::Modes>& modes_fields() {
  using analyze::Modes;
  static const auto kFields =
      Fields<Modes>("Modes", "Two values that samples gather around.")
          .field("low_ms", "ms", "The lower one.", &Modes::low_ms)
          .field("high_ms", "ms", "The higher one.", &Modes::high_ms)
          .field("low_share", "ratio", "Samples at the lower one, of the trusted ones.",
                 &Modes::low_share)
          .field("high_share", "ratio", "Samples at the higher one, of the trusted ones.",
                 &Modes::high_share)
          .field("change_ratio", "ratio", "(high − low) / low.", &Modes::change_ratio)
          .field("bic_gain", "", "By how much two normal distributions are preferred to one.",
                 &Modes::bic_gain)
          .field("mean_run", "count", "Samples from one change of side to the next.",
                 &Modes::mean_run)
          .object("period", "Period of the rarer side.", period_fields(), &Modes::period);
  return kFields;
}

const Fields<analyze::Spikes>& spikes_fields() {
  using analyze::Spikes;
  static const auto kFields =
      Fields<Spikes>("Spikes", "Single samples far above their level.")
          .field("threshold_ratio", "ratio", "A spike is above its level times 1 + this.",
                 &Spikes::threshold_ratio)
          .field("count", "count", "Spikes.", &Spikes::count)
          .field("share", "ratio", "Share of the samples after the warm-up.", &Spikes::share)
          .field("cost_share", "ratio", "Share of all time that they take beyond the level.",
                 &Spikes::cost_share)
          .field("median_ms", "ms", "Median of the spikes.", &Spikes::median_ms)
          .field("max_ms", "ms", "Maximum of the spikes.", &Spikes::max_ms)
          .field("burst_count", "count", "Bursts: one spike, or several close together.",
                 &Spikes::burst_count)
          .object("period", "Period of bursts.", period_fields(), &Spikes::period)
          .object("inner_period", "Period of spikes within bursts.", period_fields(),
                  &Spikes::inner_period);
  return kFields;
}

const Fields<analyze::TrustedFigures>& trusted_fields() {
  using analyze::TrustedFigures;
  static const auto kFields =
      Fields<TrustedFigures>("TrustedFigures", "The samples to take figures from.")
          .with(range_fields(), &TrustedFigures::range)
          .field("share", "ratio", "Share of all usable samples.", &TrustedFigures::share)
          .field("median_ms", "ms", "Median.", &TrustedFigures::median_ms)
          .field("median_low_ms", "ms", "95 % confidence interval of the median: from.",
                 &TrustedFigures::median_low_ms)
          .field("median_high_ms", "ms", "95 % confidence interval of the median: to.",
                 &TrustedFigures::median_high_ms)
          .field("mean_ms", "ms", "Mean.", &TrustedFigures::mean_ms)
          .field("min_ms", "ms", "Minimum time.", &TrustedFigures::min_ms)
          .field("max_ms", "ms", "Maximum time.", &TrustedFigures::max_ms)
          .field("p90_ms", "ms", "90th percentile.", &TrustedFigures::p90_ms)
          .field("p95_ms", "ms", "95th percentile.", &TrustedFigures::p95_ms)
          .field("p99_ms", "ms", "99th percentile.", &TrustedFigures::p99_ms)
          .field("variation", "ratio", "Standard deviation ÷ mean.", &TrustedFigures::variation)
          .field("autocorrelation", "", "Autocorrelation of neighbors, with spikes clipped.",
                 &TrustedFigures::autocorrelation)
          .field("effective_count", "count",
                 "Number of independent samples that say as much about the level.",
                 &TrustedFigures::effective_count);
  return kFields;
}

Fields<SteadyState> clocks_fields() {
  return Fields<SteadyState>(
             "Clocks",
             "What the times alone show about the clock; `machine` says where it was read.")
      .field("likely_unlocked", "",
             "Times change as with a clock that changes: other work on the device looks the same. "
             "Without signs, clocks can still have been unlocked.",
             [](const SteadyState& state) { return !state.clock_signs.empty(); })
      .field("signs", "", "The signs of it.", &SteadyState::clock_signs);
}

Fields<analyze::TimingPhase> phase_fields() {
  using analyze::TimingPhase;
  return Fields<TimingPhase>("TimingPhase", "Samples of one level.")
      .with(range_fields(), &TimingPhase::range)
      .field("is_warm_up", "", "Part of the warm-up.", &TimingPhase::is_warm_up)
      .field("is_trusted", "", "Part of what figures are taken from.", &TimingPhase::is_trusted)
      .field("median_ms", "ms", "Median.", &TimingPhase::median_ms)
      .field("spread_ratio", "ratio",
             "1.4826 · median absolute deviation ÷ median: spread without spikes.",
             &TimingPhase::spread_ratio)
      .field("change_ratio", "ratio",
             "(median − median of the trusted samples) / median of the trusted samples.",
             &TimingPhase::change_ratio)
      .field("spike_count", "count", "Spikes in it.", &TimingPhase::spike_count);
}

Fields<SteadyState> steady_fields() {
  using analyze::Excursion;
  using analyze::Step;
  using analyze::TimingOverview;
  const auto step =
      Fields<Step>("Step", "A change of level after the warm-up.")
          .field("at", "", "Position of the first sample after it.", &Step::at)
          .field("at_ms", "ms", "Its start, since that of the first sample.", &Step::at_ms)
          .field("before_ms", "ms", "Median of the level before it.", &Step::before_ms)
          .field("after_ms", "ms", "Median of the level after it.", &Step::after_ms)
          .field("change_ratio", "ratio", "(after_ms − before_ms) / before_ms.",
                 &Step::change_ratio);
  const auto excursion =
      Fields<Excursion>("Excursion", "A level that soon returned to the one before.")
          .with(range_fields(), &Excursion::range)
          .field("median_ms", "ms", "Median.", &Excursion::median_ms)
          .field("change_ratio", "ratio", "Change relative to the median of its phase.",
                 &Excursion::change_ratio);
  const auto series =
      Fields<TimingOverview>("TimingOverview", "The series in equal parts.")
          .field("median_ms", "ms", "Median of each part.", &TimingOverview::median_ms)
          .field("max_ms", "ms", "Maximum time of each part.", &TimingOverview::max_ms);
  return Fields<SteadyState>("SteadyState", "Whether the times of inferences are steady, in full.")
      .with(steady_figures_fields())
      .list("phases", "Levels in their order.", phase_fields(), &SteadyState::phases)
      .list("steps", "Changes of level after the warm-up.", step, &SteadyState::steps)
      .list("excursions", "Levels that lasted for less than 2 % of the samples.", excursion,
            &SteadyState::excursions)
      .object("series", "Data for a plot.", series, &SteadyState::overview);
}

Fields<SampleBins> bins_fields() {
  return Fields<SampleBins>("SampleBins", "How times are distributed.")
      .field("start_ms", "ms", "Where the first bin begins.", &SampleBins::start_ms)
      .field("step_ms", "ms", "Width of a bin.", &SampleBins::step_ms)
      .field("counts", "count", "Samples after the warm-up, per bin.", &SampleBins::counts)
      .field("trusted", "count", "Trusted samples, per bin.", &SampleBins::trusted)
      .field("below", "count", "Samples before the first bin.", &SampleBins::below)
      .field("above", "count", "Samples after the last bin.", &SampleBins::above);
}

// Null if the column only repeats another one.
std::optional<std::vector<double>> max_column(const SampleBuckets& buckets) {
  return buckets.max_ms != buckets.min_ms ? std::optional(buckets.max_ms) : std::nullopt;
}
std::optional<std::vector<double>> start_column(const SampleBuckets& buckets) {
  return buckets.start_ms.empty() ? std::nullopt : std::optional(buckets.start_ms);
}

Fields<SampleBuckets> bucket_fields() {
  return Fields<SampleBuckets>("SampleSeries", "Samples in equal parts, by start.")
      .field("first", "", "Position of the first sample of each part.", &SampleBuckets::first)
      .field("min_ms", "ms", "Minimum usable time of each part.", &SampleBuckets::min_ms)
      .with_gaps()
      .field("max_ms", "ms", "Maximum usable time; left out if it equals min_ms.", max_column)
      .with_gaps()
      .left_out()
      .field("running_ms", "ms", "Median of the usable samples around each part.",
             &SampleBuckets::running_ms)
      .with_gaps()
      .field("start_ms", "ms",
             "Start of each part's first sample; left out where a start is missing.", start_column)
      .left_out();
}

const SampleBuckets* series_of(const analyze::FieldSamples& samples, const TimingResult& result) {
  const bool is_there = result.detail == SampleDetail::kSeries && !samples.buckets.first.empty();
  return is_there ? &samples.buckets : nullptr;
}

Fields<analyze::FieldSamples, TimingResult> samples_fields() {
  using analyze::FieldSamples;
  return Fields<FieldSamples, TimingResult>("FieldSamples", "One timing field of the file.")
      .field("field", "", "Which: a column of the table iterations, without its unit.",
             &FieldSamples::field)
      .one_of({"latency", "compute", "enqueue", "h2d", "d2h"})
      .field("is_end_to_end", "", "It is the end-to-end figure.", &FieldSamples::is_end_to_end)
      .maybe("same_as", "",
             "A field that has the same time in every sample: bins and series are then left out.",
             &FieldSamples::same_as)
      .object("all", "Statistics of all usable samples.", sample_figures_fields(),
              &FieldSamples::all)
      .object("trusted", "Statistics of the trusted samples.", sample_figures_fields(),
              &FieldSamples::trusted)
      .field("step_ms", "ms",
             "Times are multiples of it: the clock's step, or the file's decimals.",
             &FieldSamples::step_ms)
      .object("bins", "Bins of the samples after the warm-up.", bins_fields(), &FieldSamples::bins)
      .object("middle_bins", "Finer bins of the middle only; null if bins are fine enough there.",
              bins_fields(), &FieldSamples::middle_bins)
      .object("series", "In a report only: the samples in at most 2000 equal parts.",
              bucket_fields(), series_of)
      .left_out();
}

Fields<analyze::WaterfallStep> waterfall_fields() {
  using analyze::WaterfallStep;
  return Fields<WaterfallStep>("WaterfallStep", "A step from layer times to an inference's.")
      .field("kind", "", "Kind of the step.", &WaterfallStep::kind)
      .field("is_sum", "", "Begins at 0.",
             [](const WaterfallStep& step) { return is_sum(step.kind); })
      .maybe("type", "", "Type of the layers.", &WaterfallStep::type)
      .maybe("family", "", "The type in terms common to all producers.", &WaterfallStep::family)
      .field("count", "count", "Layers, or records.", &WaterfallStep::count)
      .field("from_ms", "ms", "Where it begins.", &WaterfallStep::from_ms)
      .field("to_ms", "ms", "Where it ends.", &WaterfallStep::to_ms);
}

std::vector<TimingStatement> remarks_of(const TimingResult& result) {
  return timing_statements(result.model, result.summary);
}

}  // namespace

const Fields<Conclusion>& conclusion_fields() {
  static const auto kFields =
      Fields<Conclusion>("Conclusion", "The answer in words.")
          .field("headline", "", "In one clause.", &Conclusion::headline)
          .field("text", "", "The numbers that support it.", &Conclusion::text);
  return kFields;
}

const Fields<SampleFigures>& sample_figures_fields() {
  static const auto kFields =
      Fields<SampleFigures>("SampleFigures", "Times of samples.")
          .field("count", "count", "Samples.", &SampleFigures::count)
          .field("mean_ms", "ms", "Mean.", &SampleFigures::mean_ms)
          .field("median_ms", "ms", "Median.", &SampleFigures::median_ms)
          .field("min_ms", "ms", "Minimum time.", &SampleFigures::min_ms)
          .field("max_ms", "ms", "Maximum time.", &SampleFigures::max_ms)
          .field("p90_ms", "ms", "90th percentile.", &SampleFigures::p90_ms)
          .field("p95_ms", "ms", "95th percentile.", &SampleFigures::p95_ms)
          .field("p99_ms", "ms", "99th percentile.", &SampleFigures::p99_ms);
  return kFields;
}

const Fields<Conclusion>& headline_fields() {
  static const auto kFields =
      Fields<Conclusion>("Headline", "The answer in words.")
          .field("headline", "", "In one clause.", &Conclusion::headline)
          .maybe("text", "", "The numbers that support it, if there are any.", &Conclusion::text);
  return kFields;
}

const Fields<analyze::Reconciliation>& end_to_end_fields() {
  using analyze::EndToEnd;
  using analyze::Histogram;
  using analyze::Reconciliation;
  static const auto kFields =
      Fields<Reconciliation>("EndToEndFigures", "Times of whole inferences.")
          .object("end_to_end", "Whole inferences.",
                  Fields<EndToEnd>("EndToEnd", "Times of whole inferences, without a profiler.")
                      .field("source", "",
                             "times: of the times file; log, report: summary in a log, or in a "
                             "benchmark's report.",
                             &EndToEnd::source)
                      .one_of({"times", "log", "report"})
                      .field("field", "", "compute or latency.", &EndToEnd::field)
                      .one_of({"compute", "latency"})
                      .field("count", "count", "Inferences; null where that is not recorded.",
                             [](const EndToEnd& times) {
                               return times.count > 0 ? std::optional(times.count) : std::nullopt;
                             })
                      .field("mean_ms", "ms", "Mean.", &EndToEnd::mean_ms)
                      .field("median_ms", "ms", "Median.", &EndToEnd::median_ms)
                      .field("min_ms", "ms", "Minimum time.", &EndToEnd::min_ms)
                      .field("max_ms", "ms", "Maximum time.", &EndToEnd::max_ms)
                      .field("p90_ms", "ms", "90th percentile.", &EndToEnd::p90_ms)
                      .field("p95_ms", "ms", "95th percentile.", &EndToEnd::p95_ms)
                      .field("p99_ms", "ms", "99th percentile.", &EndToEnd::p99_ms),
                  &Reconciliation::end_to_end)
          .object("histogram", "Histogram of the whole inferences.",
                  Fields<Histogram>("Histogram", "How many inferences took how long.")
                      .field("start_ms", "ms", "Where the first bin begins.", &Histogram::start_ms)
                      .field("step_ms", "ms", "Width of a bin.", &Histogram::step_ms)
                      .field("counts", "count", "Inferences in each bin.", &Histogram::counts),
                  &Reconciliation::histogram);
  return kFields;
}

const Fields<SteadyState>& steady_figures_fields() {
  using analyze::Level;
  static const auto kFields =
      Fields<SteadyState>("SteadyFigures", "Whether the times of inferences are steady.")
          .field("verdict", "", "The answer in a word.", &SteadyState::verdict)
          .field("text", "", "What matters, in one line.", steadiness_text)
          .field("field", "", "compute or latency.", &SteadyState::field)
          .one_of({"compute", "latency"})
          .field("sample_count", "count", "Usable samples.", &SteadyState::sample_count)
          .field("unusable_count", "count", "Samples without a positive time.",
                 &SteadyState::unusable_count)
          .field("duration_ms", "ms", "From the start of the first sample to the end of the last.",
                 &SteadyState::duration_ms)
          .field("overlapping_share", "ratio",
                 "Inferences that begin before an earlier one has ended.",
                 &SteadyState::overlapping_share)
          .field("concurrent", "count", "Inferences that run at once, the 99th percentile.",
                 &SteadyState::concurrent)
          .field("variation", "ratio", "Standard deviation ÷ mean of all usable samples.",
                 &SteadyState::variation)
          .field("step_count", "count", "Changes of level after the warm-up.",
                 [](const SteadyState& state) { return state.steps.size(); })
          .list("levels", "Levels after the warm-up, by time.",
                Fields<Level>("Level", "Phases that are about as fast.")
                    .field("median_ms", "ms", "Median.", &Level::median_ms)
                    .field("share", "ratio", "Share of the samples after the warm-up.",
                           &Level::share),
                &SteadyState::levels)
          .object("warm_up", "Null if there is none.", warm_up_fields(), &SteadyState::warm_up)
          .object("drift", "Null where there are too few samples.", drift_fields(),
                  &SteadyState::drift)
          .object("modes", "Null where the trusted samples have one.", modes_fields(),
                  &SteadyState::modes)
          .object("spikes", "Null if there are none.", spikes_fields(), &SteadyState::spikes)
          .object("trusted", "The samples to take figures from.", trusted_fields(),
                  &SteadyState::trusted)
          .object("clocks", "", clocks_fields(), std::identity{});
  return kFields;
}

const record::Document<TimingResult, TimingResult>& timing_document() {
  using Result = TimingResult;
  using analyze::TimingSamples;
  const auto samples =
      Fields<TimingSamples, Result>("TimingSamples", "Times of single inferences.")
          .field("count", "count", "Samples.", &TimingSamples::sample_count)
          .list("fields", "The end-to-end one first.", samples_fields(), &TimingSamples::fields);
  const auto remark = Fields<TimingStatement>("TimingRemark", "One thing that times show.")
                          .field("id", "", "What it is about.", &TimingStatement::id)
                          .one_of({"warm-up", "drift", "steps", "values", "spikes", "clocks",
                                   "streams", "machine", "causes"})
                          .field("text", "", "In words.", &TimingStatement::text);
  static const record::Document<Result, Result> kDocument = {
      "planex.timing/2", "How steady one engine ran: planex summary --timing --format json",
      Fields<Result, Result>("Timing", "How steady one engine ran.")
          .object("engine", "", producer_fields(),
                  [](const Result& result) -> const model::PlanModel& { return result.model; })
          .object("conclusion", "Whether the figures can be trusted, and which of them.",
                  headline_fields(),
                  [](const Result& result) { return timing_conclusion(result.summary); })
          .list("remarks", "The verdict in words; empty without samples, or with too few.", remark,
                remarks_of)
          .with(end_to_end_fields(),
                [](const Result& result) -> const analyze::Reconciliation& {
                  return result.summary.time;
                })
          .object("steady_state", "Whether the times of inferences are steady; null without them.",
                  steady_fields(),
                  [](const Result& result) -> const std::optional<SteadyState>& {
                    return result.summary.steady_state;
                  })
          .object("machine",
                  "The machine while the inferences were timed; left out if it was not recorded.",
                  machine_fields(),
                  [](const Result& result) -> const std::optional<analyze::MachineState>& {
                    return result.summary.machine;
                  })
          .left_out()
          .object(
              "samples", "Every timing field that the file has, the end-to-end one first.", samples,
              [](const Result& result) -> const TimingSamples& { return result.timing.samples; })
          .list("waterfall",
                "From the layers' times to that of an inference, in steps that add up.",
                waterfall_fields(),
                [](const Result& result) -> const std::vector<analyze::WaterfallStep>& {
                  return result.timing.waterfall;
                })};
  return kDocument;
}

}  // namespace planex::render
