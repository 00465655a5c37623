// What optimizing a model found: it is shown, and written as planex.optimize/1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planex::analyze {

enum class StepState : std::uint8_t {
  kKept,          // proven faster, and close enough
  kNotFaster,     // slower, or within the noise
  kNotSmaller,    // it needs as much memory, or more
  kNotConfirmed,  // faster in the first heat, not in fresh runs
  kTooFar,        // its results miss the goal
  kTooLate,       // an inference takes longer than allowed
  kUnchanged,     // there was nothing to change
  kDropped,       // others of its group did better in the tournament
  kPredicted,     // built, and predicted to be faster; nothing was measured
  kNotPredicted,  // built, and not predicted to be faster; nothing was measured
  kFailed,        // it could not be built, run or judged
  kNotTried,      // the budget was spent, or the goal does not allow it
};
std::string_view to_string(StepState state);

// What is to be as small as possible.
enum class Aim : std::uint8_t {
  kLatency,     // the time of an inference
  kThroughput,  // the time per inference while several run at once
  kMemory,      // weights, and activations at their peak
};
std::string_view to_string(Aim aim);

// A median with its 95 % interval, for throughput that of the time per inference; and the memory,
// which is the same in each build.
struct TimedMedian {
  std::optional<double> median_ms, low_ms, high_ms;
  std::size_t run_count = 0;
  std::optional<std::int64_t> memory_bytes;
};

// Something that was tried on the best so far.
struct OptimizeStep {
  std::string id;       // "clean", "int8", "threads=2"
  std::string kind;     // clean, precision, advice, options
  std::string what;     // one sentence
  std::string basis;    // the step whose result it was tried on; empty: the model as it is
  std::string command;  // what does the same by hand
  std::string group;    // of proposals that go through a tournament, such as routes; else empty
  std::string said;     // what making it came to: "805 → 159 nodes"; empty: nothing to say
  StepState state = StepState::kNotTried;
  std::string reason;  // why it was not kept; empty: it was
  // Its time ÷ that of what it was tried on − 1, with the 95 % interval: of the runs that confirm,
  // else of the heat. Of a dropped one the mean of its runs beside the best, without an interval.
  // For memory, that of bytes, which has none either.
  std::optional<double> change_ratio, low_ratio, high_ratio;
  // What that was predicted to be before anything was measured (predict.h), and why it is null.
  std::optional<double> predicted_ratio;
  std::string why_not_predicted;
  TimedMedian before, after;
  // Against the float model, on the samples to judge on; null: not judged. Infinite: equal.
  std::optional<double> sqnr_db;
  std::optional<double> top1_ratio;
  std::optional<std::size_t> layer_count;
  std::optional<double> latency_ms;  // of an inference, while others run beside it
  double seconds = 0;
};

struct OptimizeOutcome {
  std::string model, folder, engine;
  Aim aim = Aim::kLatency;
  std::string goal;  // "same", "20 dB", "top1=99%"
  std::optional<double> max_latency_ms;
  double budget_seconds = 0, spent_seconds = 0;
  std::size_t sample_count = 0;  // to judge on
  bool is_interrupted = false;
  // The model as it is, and the best, measured in turns with each other at the end.
  TimedMedian first, best;
  std::optional<double> change_ratio, low_ratio, high_ratio;
  // Whether times were measured; else all gains are predictions, and the times above are null.
  bool is_measured = true;
  // Of the best against the model as it is, with the reason if it is null.
  std::optional<double> predicted_ratio;
  std::string why_not_predicted;
  std::string predicted_device;     // whose limits predictions are made with; empty: there are none
  std::vector<OptimizeStep> steps;  // in the order in which they were tried
  std::vector<std::string> kept;    // ids, in their order
  std::string best_model;           // of the folder
  std::string best_engine;          // the engine's file to open
  std::string command;              // builds and measures the best without optimizing
  std::string model_sha256;         // of the model as it is
  std::string rerun;                // searches again
  std::vector<std::string> notes;
};

}  // namespace planex::analyze
