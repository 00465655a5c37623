#include "model/judgements.h"

namespace planex::model {

std::string_view to_string(ReformatVerdict verdict) {
  switch (verdict) {
    case ReformatVerdict::kAvoidable:
      return "avoidable";
    case ReformatVerdict::kNeeded:
      return "needed";
    case ReformatVerdict::kUnclear:
      break;
  }
  return "unclear";
}

std::string_view to_string(ChangedBy changed_by) {
  switch (changed_by) {
    case ChangedBy::kModel:
      return "model";
    case ChangedBy::kCaller:
      return "caller";
    case ChangedBy::kNobody:
      break;
  }
  return {};
}

std::string_view to_string(Steadiness steadiness) {
  switch (steadiness) {
    case Steadiness::kTooFew:
      return "too-few";
    case Steadiness::kSteady:
      return "steady";
    case Steadiness::kAfterStart:
      return "steady-after-warm-up";
    case Steadiness::kDrifts:
      return "drifts";
    case Steadiness::kSteps:
      return "steps";
    case Steadiness::kTwoModes:
      return "two-modes";
  }
  return {};
}

std::string_view to_string(ThrottleReason reason) {
  switch (reason) {
    case ThrottleReason::kPowerCap:
      return "power-cap";
    case ThrottleReason::kHardwareSlowdown:
      return "hardware-slowdown";
    case ThrottleReason::kSoftwareThermal:
      return "software-thermal";
    case ThrottleReason::kHardwareThermal:
      return "hardware-thermal";
    case ThrottleReason::kPowerBrake:
      return "power-brake";
  }
  return {};
}

std::string_view to_string(MachineWindow window) {
  switch (window) {
    case MachineWindow::kRun:
      return "run";
    case MachineWindow::kPhase:
      return "phase";
    case MachineWindow::kInferences:
      return "inferences";
  }
  return {};
}

std::string_view words_of(NoMeasure reason) {
  switch (reason) {
    case NoMeasure::kFirstInference:
      return "are from a single inference, the first, which also loads and compiles kernels";
    case NoMeasure::kHostTimes:
      return "show how long the host took to start layers that run on a device, not how long these "
             "ran";
  }
  return {};
}

}  // namespace planex::model
