#include "render/fields/machine.h"

#include <vector>

#include "render/words/machine_sentences.h"

namespace planex::render {
namespace {

using analyze::MachineCause;
using analyze::MachineFigure;
using analyze::MachineSeries;
using analyze::MachineState;
using analyze::ThrottleShare;
using record::Fields;

Fields<MachineFigure> figure_fields() {
  return Fields<MachineFigure>("MachineFigure", "A clock, a temperature or a power.")
      .field("id", "", "Which.", &MachineFigure::id)
      .one_of({"gpu-clock", "gpu-temperature", "gpu-power", "cpu-clock", "cpu-temperature"})
      .field("unit", "", "MHz, °C or W.", &MachineFigure::unit)
      .field("before", "", "At the start of the run.", &MachineFigure::before)
      .field("min", "", "Minimum while inferences were timed.", &MachineFigure::min)
      .field("median", "", "Median while inferences were timed.", &MachineFigure::median)
      .field("max", "", "Maximum while inferences were timed.", &MachineFigure::max)
      .field("after", "", "At the end of the run.", &MachineFigure::after);
}

Fields<MachineCause> cause_fields() {
  return Fields<MachineCause>("MachineCause", "What changed on the machine when the times did.")
      .field("event", "", "What changed in the times.", &MachineCause::event)
      .field("at", "", "Position of the first sample after a step; null for the others.",
             &MachineCause::at)
      .field("kind", "", "What changed on the machine.", &MachineCause::kind)
      .field("from", "", "Value before: MHz of a clock, or a load in processors.",
             &MachineCause::from)
      .field("to", "", "After.", &MachineCause::to)
      .field("reasons", "", "What held the GPU's clock down after the change and not before.",
             &MachineCause::reasons)
      .field("text", "", "In words.", [](const MachineCause& cause) { return cause_text(cause); });
}

}  // namespace

const Fields<MachineState>& machine_fields() {
  const auto throttle =
      Fields<ThrottleShare>("ThrottleShare", "What held the GPU's clock down.")
          .field("reason", "", "What.", &ThrottleShare::reason)
          .field("share", "ratio", "Share of the samples.", &ThrottleShare::share);
  const auto series =
      Fields<MachineSeries>("MachineSeries", "Clocks over time; empty where none is known.")
          .field("start_ms", "ms", "Since the start of the first inference.",
                 &MachineSeries::start_ms)
          .field("gpu_mhz", "MHz", "Clock of the GPU.", &MachineSeries::gpu_mhz)
          .with_gaps()
          .field("cpu_mhz", "MHz", "Clock of the fastest processor.", &MachineSeries::cpu_mhz)
          .with_gaps();
  static const auto kFields =
      Fields<MachineState>("MachineState", "The machine while inferences were timed.")
          .field("sample_count", "count", "Samples of the whole run.", &MachineState::sample_count)
          .field("window", "",
                 "The window that represents the timed inferences: the inferences themselves, the "
                 "driver's phase, or the whole run.",
                 &MachineState::window)
          .field("window_count", "count", "Samples in the window.", &MachineState::window_count)
          .field("window_ms", "ms", "Length of the window.", &MachineState::window_ms)
          .list("figures", "Figures that the machine reports.", figure_fields(),
                &MachineState::figures)
          .list("throttled", "Reasons of power and heat, by share.", throttle,
                &MachineState::throttled)
          .field("cpu_throttle_count", "count", "How often heat slowed the processors meanwhile.",
                 &MachineState::cpu_throttle_count)
          .field("processor_count", "count", "Processors.", &MachineState::processor_count)
          .field("own_processors", "", "Load of the run, in processors.",
                 &MachineState::own_processors)
          .field("other_processors", "", "The same for other programs.",
                 &MachineState::other_processors)
          .field("stolen_processors", "", "The same for other virtual machines of the host.",
                 &MachineState::stolen_processors)
          .field("governor", "", "Governor of the processors' clock.", &MachineState::governor)
          .field("locked_cpu_mhz", "MHz", "The clock that planex locked the processors at.",
                 &MachineState::locked_cpu_mhz)
          .field("locked_gpu_mhz", "MHz", "The clock that planex locked the GPU at.",
                 &MachineState::locked_gpu_mhz)
          .field("gpu_power_limit_w", "W", "Power limit of the GPU.",
                 &MachineState::gpu_power_limit_w)
          .list("causes", "What changed on the machine when the times did.", cause_fields(),
                &MachineState::causes)
          .object("series", "Data for a plot.", series, &MachineState::series)
          .field("text", "", "In words.", machine_text);
  return kFields;
}

}  // namespace planex::render
