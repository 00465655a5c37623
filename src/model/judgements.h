// What analyses judge of an engine and rules speak of as well: one verdict each, so that a finding
// and an explanation can't contradict one another. Made by analyze/judgements.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace planex::model {

// Whether a conversion can go.
enum class ReformatVerdict : std::uint8_t { kAvoidable, kNeeded, kUnclear };

// Who has to change something: nobody where it is not avoidable.
enum class ChangedBy : std::uint8_t { kNobody, kModel, kCaller };

// What the times of inferences look like, one after the other.
enum class Steadiness : std::uint8_t {
  kTooFew,      // too few to tell
  kSteady,      // one level, all of it
  kAfterStart,  // one level after a warm-up
  kDrifts,      // the level slides
  kSteps,       // there are several levels
  kTwoModes,    // one level, but samples alternate between two values
};

// What held a GPU's clock down: power, heat, or the board's own protection.
enum class ThrottleReason : std::uint8_t {
  kPowerCap,
  kHardwareSlowdown,
  kSoftwareThermal,
  kHardwareThermal,
  kPowerBrake,
};

// The part of a recording of the machine that stands for the timed inferences.
enum class MachineWindow : std::uint8_t {
  kRun,         // all of it: which part they are is not known
  kPhase,       // the phase of the driver in which it timed them
  kInferences,  // from the first one's start to the last one's end
};

// Permanent words for documents: "avoidable", "caller", "steady-after-warm-up".
std::string_view to_string(ReformatVerdict verdict);
std::string_view to_string(ChangedBy changed_by);
std::string_view to_string(Steadiness steadiness);
std::string_view to_string(ThrottleReason reason);
std::string_view to_string(MachineWindow window);

// Why layer times that are there say nothing of the engine.
enum class NoMeasure : std::uint8_t {
  kFirstInference,  // of one inference, the first, which also loads and compiles kernels
  kHostTimes,       // how long a host took to start layers that a device then ran
};
// A sentence without its subject: "are of one inference, the first, which …".
std::string_view words_of(NoMeasure reason);

struct ReformatJudgement {
  ReformatVerdict verdict = ReformatVerdict::kUnclear;
  ChangedBy changed_by = ChangedBy::kNobody;
};

// What on the machine discredits times that were measured on it. Null: it does not, or nobody
// looked.
struct MachineJudgement {
  // What held the GPU's clock down for the longest, and the share of the time.
  std::optional<ThrottleReason> throttled_by;
  double throttled_share = 0;
  // How often heat slowed the processors meanwhile.
  std::optional<std::int64_t> cpu_throttle_count;
  // Processors' worth of time that other programs, or other machines of the host, took.
  std::optional<double> other_processors, stolen_processors;
  std::int64_t processor_count = 0;
};

struct TimingJudgement {
  Steadiness steadiness = Steadiness::kTooFew;
  std::int64_t sample_count = 0;
  // The steady part; 0 where there is none.
  std::int64_t trusted_count = 0;
  // Times at which the level changed, after the warm-up.
  std::int64_t step_count = 0;
  // Of the fastest and the slowest level, or of both modes, or of a drift's start and end. Null
  // where there is but one level.
  std::optional<double> low_ms, high_ms;
  // The clock probably changed during the measurement.
  bool clock_changed = false;
  // Null where nobody recorded the machine.
  std::optional<MachineJudgement> machine;
};

// Of a convolution or matrix product that the model quantizes and that runs in float.
struct FallbackJudgement {
  // Id of the engine's rule (engines/engine_rules.h) that keeps it there, in static storage; empty
  // where the table has none.
  std::string_view rule;
  // What the rule asks for cannot be seen in the files.
  bool is_likely = false;
};

struct Judgements {
  // By layer; null where the layer runs as the model asks. Empty: nothing was judged.
  std::vector<std::optional<FallbackJudgement>> fallbacks;
  // By layer; null where it only changes neither type nor layout. Empty: nothing was judged.
  std::vector<std::optional<ReformatJudgement>> reformats;
  std::optional<TimingJudgement> timing;
  // One inference from end to end: no saving exceeds it. Null where it was not measured.
  std::optional<double> end_to_end_ms;
  // Where layer times say nothing: findings then promise none of them.
  std::optional<NoMeasure> no_measure;
};

}  // namespace planex::model
