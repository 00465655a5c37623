// Judgements of analyses about an engine that rules use as well: one verdict each, so that a
// finding and an explanation can't contradict each other. Created by analyze/judgements.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace planex::model {

// Whether a conversion can be avoided.
enum class ReformatVerdict : std::uint8_t { kAvoidable, kNeeded, kUnclear };

// Who has to change something: nobody if it is not avoidable.
enum class ChangedBy : std::uint8_t { kNobody, kModel, kCaller };

// Shape of the series of inference times.
enum class Steadiness : std::uint8_t {
  kTooFew,      // too few to judge
  kSteady,      // one level throughout
  kAfterStart,  // one level after a warm-up
  kDrifts,      // the level drifts
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

// The part of a recording of the machine that covers the timed inferences.
enum class MachineWindow : std::uint8_t {
  kRun,         // all of it: the matching part is not known
  kPhase,       // the phase of the driver in which it timed them
  kInferences,  // from the first one's start to the last one's end
};

// Stable words for documents: "avoidable", "caller", "steady-after-warm-up".
std::string_view to_string(ReformatVerdict verdict);
std::string_view to_string(ChangedBy changed_by);
std::string_view to_string(Steadiness steadiness);
std::string_view to_string(ThrottleReason reason);
std::string_view to_string(MachineWindow window);

// Why existing layer times say nothing about the engine.
enum class NoMeasure : std::uint8_t {
  kFirstInference,  // from a single inference, the first, which also loads and compiles kernels
  kHostTimes,       // how long a host took to start layers that a device then ran
};
// A sentence without its subject: "are of one inference, the first, which …".
std::string_view words_of(NoMeasure reason);

struct ReformatJudgement {
  ReformatVerdict verdict = ReformatVerdict::kUnclear;
  ChangedBy changed_by = ChangedBy::kNobody;
};

// What happened on the machine that discredits times measured on it. Null: nothing, or it was not
// recorded.
struct MachineJudgement {
  // The longest-lasting reason that held the GPU's clock down, and its share of the time.
  std::optional<ThrottleReason> throttled_by;
  double throttled_share = 0;
  // How often heat slowed the processors meanwhile.
  std::optional<std::int64_t> cpu_throttle_count;
  // Average number of processors used by other programs, or by other machines of the host.
  std::optional<double> other_processors, stolen_processors;
  std::int64_t processor_count = 0;
};

struct TimingJudgement {
  Steadiness steadiness = Steadiness::kTooFew;
  std::int64_t sample_count = 0;
  // The steady part; 0 where there is none.
  std::int64_t trusted_count = 0;
  // Number of changes of the level, after the warm-up.
  std::int64_t step_count = 0;
  // Of the fastest and the slowest level, or of both modes, or of a drift's start and end. Null
  // where there is only one level.
  std::optional<double> low_ms, high_ms;
  // The clock probably changed during the measurement.
  bool clock_changed = false;
  // Null where the machine was not recorded.
  std::optional<MachineJudgement> machine;
};

// For a convolution or matrix product that the model quantizes and that runs in float.
struct FallbackJudgement {
  // Id of the engine's rule (engines/engine_rules.h) that keeps it in float, in static storage;
  // empty where the table has none.
  std::string_view rule;
  // The files do not show whether the rule's condition is met.
  bool is_likely = false;
};

struct Judgements {
  // By layer; null where the layer runs as the model asks. Empty: nothing was judged.
  std::vector<std::optional<FallbackJudgement>> fallbacks;
  // By layer; null for layers that are not conversions. Empty: nothing was judged.
  std::vector<std::optional<ReformatJudgement>> reformats;
  std::optional<TimingJudgement> timing;
  // One inference from end to end: no saving exceeds it. Null where it was not measured.
  std::optional<double> end_to_end_ms;
  // Where layer times say nothing: findings then predict no savings.
  std::optional<NoMeasure> no_measure;
};

}  // namespace planex::model
