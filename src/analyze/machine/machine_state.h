// The machine while inferences were timed: whether its clocks, its heat or other programs made the
// times, from samples that the driver took beside them (table machine_samples).
//
// A change of the times is put beside what changed on the machine at the same moment. That is what
// was seen, not a proof: but a clock that fell when inferences became slower explains them.
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

// A quantity of the machine: the first sample of the run, those of the window, the last one.
struct MachineFigure {
  std::string_view id;  // gpu-clock, gpu-temperature, gpu-power, cpu-clock, cpu-temperature
  std::string_view unit;
  std::optional<double> before, after;
  // Null where no sample of the window has it.
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
  // Clocks in MHz; loads in processors' worth of time.
  double from = 0, to = 0;
  // What held the GPU's clock down after it and not before.
  std::vector<ThrottleReason> reasons;
};

// The samples of the window, for a picture.
struct MachineSeries {
  // Since the start of the first inference; null where that is not known, as all of start_ms then.
  std::vector<double> start_ms;
  std::vector<double> gpu_mhz, cpu_mhz;  // NaN where a sample has none; empty: none has.
};

struct MachineState {
  std::int64_t sample_count = 0;
  // Which part of the recording stands for the times, and how many samples of it there are.
  MachineWindow window = MachineWindow::kRun;
  std::int64_t window_count = 0;
  std::optional<double> window_ms;
  std::vector<MachineFigure> figures;  // those that there are samples of
  // Reasons of the hardware and of power and heat, not settings; by share, descending.
  std::vector<ThrottleShare> throttled;
  // How often heat slowed the processors within the window; null where the system doesn't count.
  std::optional<std::int64_t> cpu_throttle_count;
  // Processors' worth of time that the engine, other programs and, behind a hypervisor, other
  // machines took: 1.5 is one and a half.
  std::optional<double> own_processors, other_processors, stolen_processors;
  std::optional<std::int64_t> processor_count;
  // What planex held clocks at.
  std::optional<std::int64_t> locked_cpu_mhz, locked_gpu_mhz;
  std::optional<double> gpu_power_limit_w;
  std::optional<std::string> governor;
  std::vector<MachineCause> causes;
  MachineSeries series;
};

// Sets machine_samples.inference_ms where the files of times and of the machine tell one clock;
// a diagnostic "machine-of-other-run" where they then have nothing in common.
void align_machine_samples(model::PlanModel& model);

// Null where nothing was recorded, or only of another run. `state`: what find_steady_state() says.
// Cost: O(samples · changes of the times).
std::optional<MachineState> find_machine_state(const model::PlanModel& model,
                                               const std::optional<SteadyState>& state);

// For rules: whether that discredits the times.
model::MachineJudgement machine_judgement(const MachineState& machine);

}  // namespace planex::analyze
