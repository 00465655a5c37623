#include "analyze/optimize/outcome.h"

namespace planex::analyze {

std::string_view to_string(StepState state) {
  switch (state) {
    case StepState::kKept:
      return "kept";
    case StepState::kNotFaster:
      return "not-faster";
    case StepState::kNotSmaller:
      return "not-smaller";
    case StepState::kNotConfirmed:
      return "not-confirmed";
    case StepState::kTooFar:
      return "too-far";
    case StepState::kTooLate:
      return "too-late";
    case StepState::kUnchanged:
      return "unchanged";
    case StepState::kDropped:
      return "dropped";
    case StepState::kPredicted:
      return "predicted";
    case StepState::kNotPredicted:
      return "not-predicted";
    case StepState::kFailed:
      return "failed";
    case StepState::kNotTried:
      return "not-tried";
  }
  return {};
}

std::string_view to_string(Aim aim) {
  switch (aim) {
    case Aim::kLatency:
      return "latency";
    case Aim::kThroughput:
      return "throughput";
    case Aim::kMemory:
      return "memory";
  }
  return {};
}

}  // namespace planex::analyze
