#include <array>

#include "base/text.h"
#include "lint/advice.h"

namespace planex::lint::inference_times_unsteady_rule {
namespace {

using base::format;
using model::Steadiness;

constexpr std::array<Need, 0> kNeeds = {};

constexpr RuleInfo kInfo = {
    .id = "inference-times-unsteady",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "inference times are not steady after the warm-up: they drift, step, or alternate between "
        "two values",
    .rationale =
        "The result then depends on when you measure: clocks change, or the device is shared or "
        "throttles. Differences of a few percent between two such runs mean nothing. `planex "
        "summary --timing` shows the details",
    .fix =
        "Lock the device's clocks, keep other work off it, and warm up longer. Compare medians, "
        "with their spread",
    .needs = kNeeds,
    .source =
        "Timing traces of the test data: the 99th percentile is 0.3 to 3.3 % above the median on "
        "an A100 and 35 to 281 % on a TITAN RTX; NVIDIA TensorRT Developer Guide, Performance "
        "Measurement; docs/design/0014-steady-state.md",
    .evidence = "the levels, and how many of the timed inferences are on one level",
    .estimate = "none: the finding is about the measurement",
    .action = ActionKind::kMeasureAgain,
    .option = kMeasureAgainOption};

// Levels that are closer matter only in comparisons: a note.
constexpr double kSmallGap = 0.02;

std::string what_happens(const model::TimingJudgement& timing) {
  const std::string range = timing.low_ms && timing.high_ms
                                ? format(" between {} and {}", microseconds(*timing.low_ms),
                                         microseconds(*timing.high_ms))
                                : std::string();
  switch (timing.steadiness) {
    case Steadiness::kDrifts:
      return "inference times drift";
    case Steadiness::kSteps:
      return format("inference times change their level {}{}",
                    timing.step_count == 1 ? "once" : format("{} times", timing.step_count), range);
    case Steadiness::kTwoModes:
      return format("inference times alternate{}", range);
    default:
      return {};
  }
}

void run(const Context& context, FindingSink& sink) {
  const auto& timing = context.timing();
  if (!timing) {
    sink.could_not_judge("inferences were not timed individually");
    return;
  }
  if (timing->steadiness == Steadiness::kTooFew) {
    sink.could_not_judge("too few inferences were timed individually");
    return;
  }
  sink.looked_at();
  std::string message = what_happens(*timing);
  if (message.empty()) return;
  FindingDraft draft;
  draft.message = std::move(message);
  if (timing->low_ms && timing->high_ms && *timing->low_ms > 0) {
    const double gap = *timing->high_ms / *timing->low_ms - 1;
    draft.message += format(" ({:.1f} %)", 100 * gap);
    if (gap < kSmallGap) draft.severity = Severity::kInfo;
  }
  if (timing->clock_changed) {
    draft.message += "; the clock changed at the same time";
  } else if (timing->machine && timing->machine->other_processors) {
    draft.message += format(
        "; likely cause: other programs took {:.1f} of {}", *timing->machine->other_processors,
        base::counted(static_cast<std::size_t>(timing->machine->processor_count), "processor"));
  }
  draft.evidence = format("{} inferences", timing->sample_count);
  if (timing->trusted_count > 0 && timing->trusted_count < timing->sample_count) {
    draft.evidence += format(", {} of them on one level", timing->trusted_count);
  }
  draft.estimate_method = "none: the finding is about the measurement";
  draft.fix = as_sentence(format("{}, {}, and keep other work off the device",
                                 steady_clock_advice(context), warm_up_advice(context)));
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::inference_times_unsteady_rule

PLANEX_LINT_RULE(inference_times_unsteady)
