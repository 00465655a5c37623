// Whether engine B is slower than engine A, and how certain that is.
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

// Assumed spread of unrepeated runs: the standard deviation, as a ratio, by which medians of two
// runs of one engine differ from their common mean for no reason that the samples show. Nothing in
// a single run shows it, so whether an engine is slower or faster is judged by the largest
// differences observed for runs with unlocked clocks, and on processors: with the weight of
// kAssumedFreedom repetitions, this covers runs that differ by 3 % (docs/design/0023).
inline constexpr double kUnrepeatedRunSpreadRatio = 0.0215;
// The gate, whose threshold is a tolerance, requires that in any case; beyond it, the distance to
// the threshold only has to exceed the smallest clock step of current GPUs (kMinChangeRatio), or on
// a processor the usual difference between OpenVINO's runs on one machine.
inline constexpr double kAssumedRunSpreadRatio = 0.003;
inline constexpr double kAssumedProcessorSpreadRatio = 0.02;
// Other programs on the processors make unchanged engines differ by 20 %.
inline constexpr double kAssumedBusySpreadRatio = 0.1;
// Repeated runs that agree by chance are not assumed to be closer than this.
inline constexpr double kMinRunSpreadRatio = 0.0015;
// Nobody would measure an engine more often than this.
inline constexpr std::int64_t kMaxNeededRuns = 20;
// For runs with less than kMinSamples, which show no levels: their range is the interval.
inline constexpr std::size_t kMinForRange = 6;

struct GateOptions {
  // A slow-down that fails, as a ratio: 0.03. Null: no gate.
  std::optional<double> fail_above_ratio;
  // Undecided comparisons fail, too.
  bool fail_when_unclear = false;
  // Known spread of runs of one engine on this machine, instead of the assumed one: for verdict and
  // gate. 0 treats runs as repeatable.
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

// The kind of a level of a run.
enum class LevelKind : std::uint8_t { kOnly, kStep, kDrift, kMode };

struct RunLevel {
  LevelKind kind = LevelKind::kOnly;
  double median_ms = 0;
  double share = 1;  // of the samples after the warm-up; of the trusted ones for modes
  // 95 % interval of the median within this run, including serial dependence and the timer's step.
  double low_ms = 0, high_ms = 0;
  // Standard error of the share, for modes: how well their mix is known.
  double share_error = 0;
};

// CPU time that the processor spent on an inference.
struct CpuTime {
  double per_inference_ms = 0;  // of all threads, user plus system; > 0
  std::int64_t thread_count = 1;
};

// One run of one engine, reduced to what a verdict needs. Created once per run, used in every
// comparison.
struct MeasuredRun {
  TimeSource source = TimeSource::kNone;
  // compute or latency if there is an end to end, else empty; cpu_time, see cpu_time.h.
  std::string field;
  // Of the trusted samples, or of all after the warm-up where levels alternate (six phases or
  // more); else as the tool printed it, else Σ layers.
  std::optional<double> median_ms;
  // 95 % interval of it within this run; for less than kMinSamples the range without the tenth at
  // either end, for less than kMinForRange null.
  std::optional<double> median_low_ms, median_high_ms;
  // The median interpolated between the steps of a coarse timer, from the samples in the steps
  // around. Equal to median_ms where the timer is fine.
  std::optional<double> located_ms;
  std::optional<double> layer_sum_ms;
  TimeBasis layer_sum_basis = TimeBasis::kNone;
  std::int64_t sample_count = 0;   // usable
  std::int64_t trusted_count = 0;  // of these, those that the median is taken from
  // Number of independent samples that say as much about the median: 0.25 ÷ the variance of the
  // share of samples below it.
  double effective_count = 0;
  // For the bootstrap, in samples.
  std::int64_t block_length = 0;
  // The timer's step, if all samples are multiples of one.
  std::optional<double> step_ms;
  Steadiness steadiness = Steadiness::kTooFew;
  std::int64_t concurrent = 1;  // inferences that run at once
  // kAssumedRunSpreadRatio, or the assumption for a processor or a busy machine.
  double assumed_spread_ratio = kAssumedRunSpreadRatio;
  // Null where the driver did not record it.
  std::optional<CpuTime> cpu_time;
  bool was_machine_busy = false;
  // Ascending; more than one where the run has steps, a drift (its two ends) or two modes. Empty
  // where there are fewer than kMinForRange.
  std::vector<RunLevel> levels;
};

// Deterministic: the same samples give the same figures on every machine. Cost: that of
// find_steady_state, and some 10⁵ draws per level for any number of samples.
MeasuredRun measure_run(const model::PlanModel& model);
// The same for a series alone; a series with starts is in their order.
MeasuredRun measure_run(const TimingSeries& series);

// OpenVINO and ONNX Runtime run on the processor unless the device says otherwise.
bool ran_on_processor(const model::PlanModel& model);

enum class Judgement : std::uint8_t {
  kSlower,       // the whole interval lies above 0
  kFaster,       // below
  kWithinNoise,  // 0 is in it
  kUnclear,      // samples don't decide: see the reason
  kUnknown,      // there is nothing to judge
};
std::string_view to_string(Judgement judgement);

// Why there is no clear judgement. In order of precedence where several apply.
enum class UnclearReason : std::uint8_t {
  kNone,
  kNoTimes,           // one of the two has no times at all
  kLayerSumsOnly,     // no end to end: the change is that of Σ layers, without an interval
  kNoSamples,         // medians without samples: a change without an interval
  kDifferentFigures,  // compute time of one, latency of the other
  kTooFewSamples,     // fewer than kMinSamples in a run, and their range doesn't decide
  kDifferentStreams,  // inferences of one overlap more than those of the other
  kDrift,             // the level drifts by more than would leave the judgement unchanged
  kSteps,             // there are several levels, likewise
  kTwoModes,          // two values, and the mix decides: it differs, or they move differently
  kSingleRun,         // runs of one engine may differ by this much, and no run was repeated
  kBusyMachine,       // other programs used the processor, and CPU time contradicts
};
std::string_view to_string(UnclearReason unclear_reason);

enum class GateResult : std::uint8_t {
  kOff,
  kPassed,     // the gate's whole interval lies at or below the threshold
  kFailed,     // it lies above it, and the candidate is slower
  kUndecided,  // the interval contains the threshold, or there is a doubt
  kUnknown,    // nothing to judge
};
std::string_view to_string(GateResult result);

// One side of a comparison: a run, or several runs of the same engine.
struct VerdictSide {
  std::int64_t run_count = 0;
  // Geometric mean of the medians of the runs: the median itself for one run.
  std::optional<double> median_ms;
  std::int64_t sample_count = 0;
  // The largest deviation of a run's median from median_ms, relative to it; 0 for one run.
  double greatest_deviation_ratio = 0;
};

struct Verdict {
  Judgement judgement = Judgement::kUnknown;
  UnclearReason unclear_reason = UnclearReason::kNone;
  // The run that the doubt is about: its side and index.
  bool is_candidate_unclear = false;
  std::int64_t doubt_run = 0;
  TimeSource source = TimeSource::kNone;
  // compute or latency; cpu_time where a machine was busy and CPU time per inference is judged;
  // empty for Σ layers.
  std::string field;
  VerdictSide base, candidate;
  // Candidate ÷ base − 1.
  std::optional<double> change_ratio;
  // The 95 % interval of it; null where there are no samples, or too few. Where a run has several
  // levels, it spans what any of them could give.
  std::optional<double> low_ratio, high_ratio;
  // The same without the spread of runs: how well these very runs are known.
  std::optional<double> within_runs_low_ratio, within_runs_high_ratio;
  // The gate's interval: as above, but for unrepeated runs it assumes the spread of a machine that
  // holds its clock.
  std::optional<double> gate_low_ratio, gate_high_ratio;
  // Number of samples with which a run's own error would be no larger than the spread of runs; null
  // where it already is, and more samples would not help.
  std::optional<std::int64_t> needed_sample_count;
  // Runs per side with which a change as large as change_ratio would be decided, if they continue
  // to differ by run_spread_ratio; null where it is decided, or more runs than kMaxNeededRuns would
  // be needed.
  std::optional<std::int64_t> needed_run_count;
  // The change of CPU time per inference, defined like change_ratio; null where a run does not have
  // it.
  std::optional<double> cpu_change_ratio;
  // Standard deviation of a run's median from run to run, as a ratio: measured where there are four
  // runs or more, assumed otherwise.
  std::optional<double> run_spread_ratio;
  bool is_run_spread_measured = false;
  // How far apart the two sides can be due to the spread of runs alone, in 95 of 100 comparisons.
  std::optional<double> run_difference_ratio;
  // The smallest true slow-down that would be judged slower in 9 of 10 such comparisons, and the
  // smallest that would fail the gate; as ratios.
  std::optional<double> detectable_ratio, gate_detectable_ratio;
  // How the interval was obtained, in words, for people.
  std::string method;
  GateResult gate = GateResult::kOff;
  std::optional<double> gate_threshold_ratio;
  // The gate rejects: failed, or undecided or unknown where the options make that fail.
  bool fails = false;
};

// Compares levels with levels: where runs drift, step or have two modes, a side is slower only if
// that is true for every choice of levels. Modes of the two sides are matched low with low and high
// with high; so are levels that every one of several runs visited. Base and candidate are runs of
// one engine each. Where other programs used the processor, judges single-threaded runs by their
// CPU time per inference (cpu_time.h). Cost: O(runs · levels²). Error rates (bench/gate_part.py
// prints them): where nothing changed, at most 5 % of comparisons say slower or faster, and at most
// 5 % fail a gate of 3 %, as long as runs of one engine differ by 3 % or less (standard deviation).
// Where samples spread by 2 % or less and the machine holds its clock, the gate finds at least 90 %
// of true slow-downs of 10 % with one run a side, and of 5 % with two. More runs never find less.
Verdict judge(std::span<const MeasuredRun> base, std::span<const MeasuredRun> candidate,
              const GateOptions& options = {});

}  // namespace planex::analyze
