// Whether engine B is slower than engine A, and how sure that is.
//
// The figure is end to end: the median of the samples that steady_state.h trusts, run by run. Every
// interval here is a 95 % confidence interval of a change, B ÷ A − 1, for engines that are measured
// again in the same way. What goes into it, and where the formulas come from: docs/design/0023.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "analyze/timing/steady_state.h"
#include "analyze/timing/timing_series.h"
#include "model/plan_model.h"

namespace planex::analyze {

inline constexpr double kVerdictConfidence = 0.95;

// What is assumed of runs that nobody repeated: the standard deviation, as a ratio, by which
// medians of two runs of one engine differ from their common mean though samples show no reason.
// Nothing in one run tells it, so whether an engine is slower or faster goes by what runs on clocks
// that nobody locked, and on processors, were seen to differ by at most: with the weight of
// kAssumedFreedom repetitions this covers runs that differ by 3 % (docs/design/0023).
inline constexpr double kUnrepeatedRunSpreadRatio = 0.0215;
// The gate, whose threshold is what is tolerated, asks for that in any case, and of the distance to
// the threshold for no more than the smallest clock step of current GPUs (kMinChangeRatio); on a
// processor for what OpenVINO's runs on one machine usually differ by.
inline constexpr double kAssumedRunSpreadRatio = 0.003;
inline constexpr double kAssumedProcessorSpreadRatio = 0.02;
// Programs that take processors from one another make unchanged engines differ by 20 %.
inline constexpr double kAssumedBusySpreadRatio = 0.1;
// Repeated runs that agree by chance are not believed to be closer than this.
inline constexpr double kMinRunSpreadRatio = 0.0015;
// Who would measure an engine more often than that.
inline constexpr std::int64_t kMaxNeededRuns = 20;
// Of runs with less than kMinSamples, which show no levels: their range is the interval.
inline constexpr std::size_t kMinForRange = 6;

struct GateOptions {
  // A slow-down that fails, as a ratio: 0.03. Null: no gate.
  std::optional<double> fail_above_ratio;
  // What can't be decided fails, too.
  bool fail_when_unclear = false;
  // What runs of one engine are known to differ by on this machine, instead of what is assumed: of
  // verdict and gate. 0 takes runs for repeatable.
  std::optional<double> assumed_run_spread_ratio;
};

// Where the time of a run comes from.
enum class TimeSource : std::uint8_t {
  kSamples,   // of inferences
  kSummary,   // a median that a tool printed, without samples
  kLayerSum,  // Σ layers under the basis of reconcile.h; no end to end
  kNone,
};
std::string_view to_string(TimeSource source);

// What a level of a run is one of.
enum class LevelKind : std::uint8_t { kOnly, kStep, kDrift, kMode };

struct RunLevel {
  LevelKind kind = LevelKind::kOnly;
  double median_ms = 0;
  double share = 1;  // of the samples after the warm-up; of the trusted ones for modes
  // 95 % interval of the median within this run, serial dependence and the timer's step in it.
  double low_ms = 0, high_ms = 0;
  // Standard error of the share, of modes: how well their mix is known.
  double share_error = 0;
};

// What the processor did for an inference.
struct CpuTime {
  double per_inference_ms = 0;  // of all threads, in user and system; > 0
  std::int64_t thread_count = 1;
};

// One run of one engine, reduced to what a verdict needs. Made once per run, used in every
// comparison.
struct MeasuredRun {
  TimeSource source = TimeSource::kNone;
  // compute or latency where there is an end to end, else empty; cpu_time, see cpu_time.h.
  std::string field;
  // Of the trusted samples, or of all after the warm-up where levels alternate (six phases or
  // more); else as the tool printed it, else Σ layers.
  std::optional<double> median_ms;
  // 95 % interval of it within this run; of less than kMinSamples the range without the tenth
  // at either end, of less than kMinForRange null.
  std::optional<double> median_low_ms, median_high_ms;
  // The median between the steps of a coarse timer: where in the step it lies, by the samples in
  // the steps around. median_ms itself where the timer is fine.
  std::optional<double> located_ms;
  std::optional<double> layer_sum_ms;
  TimeBasis layer_sum_basis = TimeBasis::kNone;
  std::int64_t sample_count = 0;   // usable
  std::int64_t trusted_count = 0;  // of these, what the median is of
  // How many independent samples say as much about the median: 0.25 ÷ the variance of the share of
  // samples below it.
  double effective_count = 0;
  // Of the bootstrap, in samples.
  std::int64_t block_length = 0;
  // The timer's step, where all samples are multiples of one.
  std::optional<double> step_ms;
  Steadiness steadiness = Steadiness::kTooFew;
  std::int64_t concurrent = 1;  // inferences that run at once
  // kAssumedRunSpreadRatio, or what is assumed of a processor or a busy machine.
  double assumed_spread_ratio = kAssumedRunSpreadRatio;
  // Null where the driver did not record it.
  std::optional<CpuTime> cpu_time;
  bool was_machine_busy = false;
  // Ascending; more than one where the run has steps, a drift (its two ends) or two modes. Empty
  // where there are fewer than kMinForRange.
  std::vector<RunLevel> levels;
};

// Deterministic: the same samples give the same figures on every machine.
// Cost: that of find_steady_state, and some 10⁵ draws a level however many samples there are.
MeasuredRun measure_run(const model::PlanModel& model);
// The same of a series alone; one with starts is in their order.
MeasuredRun measure_run(const TimingSeries& series);

// OpenVINO and ONNX Runtime run on the processor unless the device says otherwise.
bool ran_on_processor(const model::PlanModel& model);

enum class Judgement : std::uint8_t {
  kSlower,       // the whole interval lies above 0
  kFaster,       // below
  kWithinNoise,  // 0 is in it
  kUnclear,      // samples don't decide: see the reason
  kUnknown,      // there is nothing to judge by
};
std::string_view to_string(Judgement judgement);

// Why there is no clear judgement. In order of what is said first where several hold.
enum class UnclearReason : std::uint8_t {
  kNone,
  kNoTimes,           // one of the two has none at all
  kLayerSumsOnly,     // no end to end: the change is that of Σ layers, and has no interval
  kNoSamples,         // medians without samples: a change, and no interval
  kDifferentFigures,  // compute time of the one, latency of the other
  kTooFewSamples,     // fewer than kMinSamples in a run, and their range doesn't tell
  kDifferentStreams,  // inferences of the one overlap more than those of the other
  kDrift,             // the level slides, by more than would leave the judgement standing
  kSteps,             // there are several levels, likewise
  kTwoModes,          // two values, and the mix decides: it differs, or they move differently
  kSingleRun,         // runs of one engine may differ by as much, and nobody repeated one
  kBusyMachine,       // other programs had the processor, and CPU time says otherwise
};
std::string_view to_string(UnclearReason unclear_reason);

enum class GateResult : std::uint8_t {
  kOff,
  kPassed,     // the gate's whole interval lies at or below the threshold
  kFailed,     // it lies above it, and the candidate is slower
  kUndecided,  // the interval has the threshold in it, or there is a doubt
  kUnknown,    // nothing to judge by
};
std::string_view to_string(GateResult result);

// One side of a comparison: a run, or several runs of the same engine.
struct VerdictSide {
  std::int64_t run_count = 0;
  // Geometric mean of the medians of the runs: the median itself for one run.
  std::optional<double> median_ms;
  std::int64_t sample_count = 0;
  // The greatest deviation of a run's median from median_ms, as a ratio of it; 0 for one run.
  double greatest_deviation_ratio = 0;
};

struct Verdict {
  Judgement judgement = Judgement::kUnknown;
  UnclearReason unclear_reason = UnclearReason::kNone;
  // The run that the doubt is about: of the candidate or the base, and which.
  bool is_candidate_unclear = false;
  std::int64_t doubt_run = 0;
  TimeSource source = TimeSource::kNone;
  // compute or latency; cpu_time where a machine was busy and CPU time per inference is judged by;
  // empty for Σ layers.
  std::string field;
  VerdictSide base, candidate;
  // Candidate ÷ base − 1.
  std::optional<double> change_ratio;
  // The 95 % interval of it; null where there are no samples, or too few. Where a run has several
  // levels, it spans what any of them could give.
  std::optional<double> low_ratio, high_ratio;
  // The same without what runs differ by: how well these very runs are known.
  std::optional<double> within_runs_low_ratio, within_runs_high_ratio;
  // What the gate judges by: as above, but where nobody repeated a run the runs are taken to differ
  // by what a machine that holds its clock does.
  std::optional<double> gate_low_ratio, gate_high_ratio;
  // How many samples a run would have needed for its own error to be no greater than what runs
  // differ by; null where it is not, and more samples would not help.
  std::optional<std::int64_t> needed_sample_count;
  // Runs of each side with which a change as large as change_ratio would be judged, where they go
  // on to differ by run_spread_ratio; null where it is judged, or more runs than kMaxNeededRuns
  // would be needed.
  std::optional<std::int64_t> needed_run_count;
  // The change of CPU time per inference, as change_ratio is; null where a run does not have it.
  std::optional<double> cpu_change_ratio;
  // Standard deviation of a run's median from run to run, as a ratio: measured where there are four
  // runs or more, assumed otherwise.
  std::optional<double> run_spread_ratio;
  bool is_run_spread_measured = false;
  // How far apart the two sides may come to lie by what runs differ by alone, in 95 of 100
  // comparisons.
  std::optional<double> run_difference_ratio;
  // The least true slow-down that would be judged slower in 9 of 10 such comparisons, and the
  // least that would fail the gate; as ratios.
  std::optional<double> detectable_ratio, gate_detectable_ratio;
  // What the interval is, in words: for a person who asks how this is known.
  std::string method;
  GateResult gate = GateResult::kOff;
  std::optional<double> gate_threshold_ratio;
  // The gate says no: failed, or undecided or unknown where the options make that fail.
  bool fails = false;
};

// Compares levels with levels: where runs drift, step or have two modes, a side is slower only if
// that holds whichever level is taken. Modes of the two sides are matched low with low and high
// with high; so are levels that every one of several runs visited.
// Base and candidate are runs of one engine each. Where other programs had the processor, judges
// runs of one thread by their CPU time per inference (cpu_time.h). Cost: O(runs · levels²).
// Error rates (bench/gate_part.py prints them): where nothing changed, at most 5 % of comparisons
// say slower or faster, and at most 5 % fail a gate of 3 %, as long as runs of one engine differ by
// 3 % or less (standard deviation). Where samples spread by 2 % or less and the machine holds its
// clock, the gate finds at least 90 % of true slow-downs of 10 % with one run a side, and of 5 %
// with two. More runs never find less.
Verdict judge(std::span<const MeasuredRun> base, std::span<const MeasuredRun> candidate,
              const GateOptions& options = {});

}  // namespace planex::analyze
