// The machine while inferences were timed: whether its clocks, its heat or other programs
// influenced the times, from samples that the driver took meanwhile (table machine_samples).
//
// A change of the times is shown with what changed on the machine at the same moment. That is an
// observation, not a proof: but a clock that fell when inferences became slower explains them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/timing/steady_state.h"
#include "model/judgements.h"
#include "model/plan_model.h"

namespace planex::analyze {

using model::MachineWindow;
using model::ThrottleReason;

// A quantity of the machine: the first sample of the run, those in the window, the last one.
struct MachineFigure {
  std::string_view id;  // gpu-clock, gpu-temperature, gpu-power, cpu-clock, cpu-temperature
  std::string_view unit;
  std::optional<double> before, after;
  // Null where no sample in the window has it.
  std::optional<double> min, median, max;
};

// What held the GPU's clock down, and in how many of the window's samples.
struct ThrottleShare {
  ThrottleReason reason = ThrottleReason::kPowerCap;
  double share = 0;
};

enum class MachineEvent : std::uint8_t { kStep, kDrift, kWarmUp };
enum class MachineCauseKind : std::uint8_t { kGpuClock, kCpuClock, kOtherLoad, kStolen };
std::string_view to_string(MachineEvent event);
std::string_view to_string(MachineCauseKind kind);

// What changed on the machine when the times did, in the direction that explains them.
struct MachineCause {
  MachineEvent event = MachineEvent::kStep;
  // Position of the first sample after a step.
  std::optional<std::int64_t> at;
  MachineCauseKind kind = MachineCauseKind::kGpuClock;
  // Clocks in MHz; loads in average busy processors.
  double from = 0, to = 0;
  // What held the GPU's clock down after it but not before.
  std::vector<ThrottleReason> reasons;
};

// The samples of the window, for a picture.
struct MachineSeries {
  // Since the start of the first inference; null where that is not known, as all of start_ms then.
  std::vector<double> start_ms;
  std::vector<double> gpu_mhz, cpu_mhz;  // NaN where a sample has none; empty: no sample has one.
};

struct MachineState {
  std::int64_t sample_count = 0;
  // Which part of the recording covers the times, and how many samples it contains.
  MachineWindow window = MachineWindow::kRun;
  std::int64_t window_count = 0;
  std::optional<double> window_ms;
  std::vector<MachineFigure> figures;  // those that have samples
  // Hardware, power and heat reasons, not settings; by share, descending.
  std::vector<ThrottleShare> throttled;
  // How often heat slowed the processors within the window; null where the system doesn't count it.
  std::optional<std::int64_t> cpu_throttle_count;
  // Average number of processors that the engine, other programs and, under a hypervisor, other
  // machines used: 1.5 is one and a half.
  std::optional<double> own_processors, other_processors, stolen_processors;
  std::optional<std::int64_t> processor_count;
  // Clocks that planex locked.
  std::optional<std::int64_t> locked_cpu_mhz, locked_gpu_mhz;
  std::optional<double> gpu_power_limit_w;
  std::optional<std::string> governor;
  std::vector<MachineCause> causes;
  MachineSeries series;
};

// Sets machine_samples.inference_ms where the files of times and of the machine share a clock; a
// diagnostic "machine-of-other-run" where they then do not overlap.
void align_machine_samples(model::PlanModel& model);

// Null where nothing was recorded, or only another run. `state`: the result of find_steady_state().
// Cost: O(samples · changes of the times).
std::optional<MachineState> find_machine_state(const model::PlanModel& model,
                                               const std::optional<SteadyState>& state);

// For rules: whether that discredits the times.
model::MachineJudgement machine_judgement(const MachineState& machine);

}  // namespace planex::analyze
