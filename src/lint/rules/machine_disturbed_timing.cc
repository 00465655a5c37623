#include <array>
#include <string>
#include <vector>

#include "base/text.h"
#include "lint/advice.h"

namespace planex::lint::machine_disturbed_timing_rule {
namespace {

using base::format;
using model::MachineJudgement;
using model::ThrottleReason;

constexpr std::array<Need, 0> kNeeds = {};

constexpr RuleInfo kInfo = {
    .id = "machine-disturbed-timing",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "while inferences were timed, power or heat held the clock down, or other work used the "
        "processors",
    .rationale =
        "The times then reflect the machine's state as much as the engine: another run would give "
        "different times. `planex process` records the machine's state along with the times, and "
        "`planex summary --timing` shows what changed on it when the times did",
    .fix =
        "Cool the device, lock the clock at a value it can sustain, keep other work off the "
        "machine, and measure again",
    .needs = kNeeds,
    .source =
        "NVML API Reference Guide, nvmlClocksEventReasons; NVIDIA TensorRT Developer Guide, "
        "Hardware/Software Environment for Performance Measurements; Linux kernel, "
        "Documentation/ABI/testing/sysfs-devices-system-cpu (thermal_throttle), man 5 proc_stat; "
        "docs/design/0044-machine-state.md",
    .evidence = "what held the clock down and for how much of the time; how much other work ran",
    .estimate = "none: the finding is about the measurement",
    .action = ActionKind::kMeasureAgain,
    .option = kMeasureAgainOption,
    .discredits_times = true};

std::string_view words_of(ThrottleReason reason) {
  switch (reason) {
    case ThrottleReason::kPowerCap:
      return "the power limit";
    case ThrottleReason::kSoftwareThermal:
    case ThrottleReason::kHardwareThermal:
      return "heat";
    case ThrottleReason::kPowerBrake:
      return "the server's power brake";
    case ThrottleReason::kHardwareSlowdown:
      return "the hardware's own protection";
  }
  return {};
}

std::vector<std::string> disturbances(const MachineJudgement& machine) {
  std::vector<std::string> found;
  if (machine.throttled_by) {
    found.push_back(format("{} held the GPU's clock down for {:.0f} % of the time",
                           words_of(*machine.throttled_by), machine.throttled_share * 100));
  }
  if (machine.cpu_throttle_count) {
    found.push_back(
        format("heat slowed the processors {}",
               base::counted(static_cast<std::size_t>(*machine.cpu_throttle_count), "time")));
  }
  const auto add_load = [&](const std::optional<double>& processors, std::string_view who) {
    if (!processors) return;
    found.push_back(
        format("{} took {:.1f} of {}", who, *processors,
               base::counted(static_cast<std::size_t>(machine.processor_count), "processor")));
  };
  add_load(machine.other_processors, "other programs");
  add_load(machine.stolen_processors, "other machines of the host");
  return found;
}

void run(const Context& context, FindingSink& sink) {
  const auto& timing = context.timing();
  if (!timing) {
    sink.could_not_judge("inferences were not timed individually");
    return;
  }
  if (!timing->machine) {
    sink.could_not_judge("the machine was not recorded while inferences were timed");
    return;
  }
  sink.looked_at();
  const std::vector<std::string> found = disturbances(*timing->machine);
  if (found.empty()) return;
  FindingDraft draft;
  draft.message = "while inferences were timed, ";
  for (std::size_t i = 0; i < found.size(); ++i) {
    draft.message += (i == 0 ? "" : i + 1 == found.size() ? " and " : ", ") + found[i];
  }
  draft.evidence =
      format("{} inferences, and samples of the machine taken alongside", timing->sample_count);
  draft.estimate_method = "none: the finding is about the measurement";
  const bool is_clock = timing->machine->throttled_by || timing->machine->cpu_throttle_count;
  const bool is_load = timing->machine->other_processors || timing->machine->stolen_processors;
  std::string fix;
  if (is_clock) {
    fix = format("cool the device, and {} at a value it can sustain", steady_clock_advice(context));
  }
  if (is_load) fix += format("{}keep other work off the machine", fix.empty() ? "" : "; ");
  draft.fix = as_sentence(fix + "; then measure again");
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::machine_disturbed_timing_rule

PLANEX_LINT_RULE(machine_disturbed_timing)
