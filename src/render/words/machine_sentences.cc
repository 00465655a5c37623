#include "render/words/machine_sentences.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"

namespace planex::render {
namespace {

using analyze::MachineCause;
using analyze::MachineCauseKind;
using analyze::MachineEvent;
using analyze::MachineFigure;
using analyze::MachineState;
using base::format;
using model::ThrottleReason;

// Clocks that differ by less count as equal.
constexpr double kSameRatio = 0.01;

std::string_view figure_name(std::string_view figure) {
  if (figure == "gpu-clock") return "GPU clock";
  if (figure == "gpu-temperature") return "GPU temperature";
  if (figure == "gpu-power") return "GPU power";
  if (figure == "cpu-clock") return "clock of the fastest processor";
  return "processor temperature";
}

std::string_view reason_words(ThrottleReason reason) {
  switch (reason) {
    case ThrottleReason::kPowerCap:
      return "power cap";
    case ThrottleReason::kHardwareSlowdown:
      return "hardware slowdown";
    case ThrottleReason::kSoftwareThermal:
      return "thermal slowdown by the driver";
    case ThrottleReason::kHardwareThermal:
      return "thermal slowdown by the hardware";
    case ThrottleReason::kPowerBrake:
      return "power brake of the server";
  }
  return {};
}

bool is_same(double a, double b) { return std::abs(a - b) <= kSameRatio * std::max(a, b); }

std::string figure_text(const MachineState& machine, const MachineFigure& figure) {
  std::string text = format("{} ", figure_name(figure.id));
  if (figure.median) text += range_text(figure);
  std::vector<std::string> others;
  const auto add_other = [&](const std::optional<double>& value, std::string_view when) {
    if (!value) return;
    if (figure.median && *value >= *figure.min * (1 - kSameRatio) &&
        *value <= *figure.max * (1 + kSameRatio)) {
      return;
    }
    others.push_back(format("{:.0f} {}", *value, when));
  };
  add_other(figure.before, "before");
  add_other(figure.after, "after");
  if (figure.id == "gpu-power" && machine.gpu_power_limit_w) {
    others.push_back(format("limit {:.0f}", *machine.gpu_power_limit_w));
  }
  const auto locked = figure.id == "gpu-clock"   ? machine.locked_gpu_mhz
                      : figure.id == "cpu-clock" ? machine.locked_cpu_mhz
                                                 : std::nullopt;
  if (locked) others.push_back(format("locked at {}", *locked));
  for (std::size_t i = 0; i < others.size(); ++i) {
    text += (i == 0 ? " (" : ", ") + others[i];
  }
  return others.empty() ? text : text + ")";
}

std::string load_text(const MachineState& machine) {
  std::vector<std::string> parts;
  const auto add = [&](const std::optional<double>& processors, std::string_view whose) {
    if (processors) parts.push_back(format("{} {:.1f}", whose, *processors));
  };
  add(machine.own_processors, "the run took");
  add(machine.other_processors, "other programs");
  if (machine.stolen_processors.value_or(0) >= 0.05) {
    add(machine.stolen_processors, "other virtual machines of the host");
  }
  if (parts.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", ") + parts[i];
  if (machine.processor_count) {
    text += format(" of {}",
                   base::counted(static_cast<std::size_t>(*machine.processor_count), "processor"));
  }
  return text;
}

std::string_view subject_of(MachineCauseKind kind) {
  switch (kind) {
    case MachineCauseKind::kGpuClock:
      return "the GPU's clock";
    case MachineCauseKind::kCpuClock:
      return "the clock of the fastest processor";
    case MachineCauseKind::kOtherLoad:
      return "the load from other programs";
    case MachineCauseKind::kStolen:
      return "the load from other virtual machines of the host";
  }
  return {};
}

}  // namespace

std::string range_text(const MachineFigure& figure) {
  if (!figure.median) return {};
  if (is_same(*figure.min, *figure.max)) return format("{:.0f} {}", *figure.median, figure.unit);
  return format("{:.0f} to {:.0f} {}, median {:.0f}", *figure.min, *figure.max, figure.unit,
                *figure.median);
}

std::string machine_text(const MachineState& machine) {
  std::vector<std::string> parts;
  for (const MachineFigure& figure : machine.figures) {
    parts.push_back(figure_text(machine, figure));
  }
  for (const analyze::ThrottleShare& entry : machine.throttled) {
    parts.push_back(format("GPU clock held down for {:.0f} % of the time: {}", entry.share * 100,
                           reason_words(entry.reason)));
  }
  if (machine.cpu_throttle_count.value_or(0) > 0) {
    parts.push_back(
        format("heat slowed the processors {}",
               base::counted(static_cast<std::size_t>(*machine.cpu_throttle_count), "time")));
  }
  if (const std::string load = load_text(machine); !load.empty()) parts.push_back(load);
  if (parts.empty()) return "neither clocks nor load recorded";
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  switch (machine.window) {
    case analyze::MachineWindow::kInferences:
      return text;
    case analyze::MachineWindow::kPhase:
      return "in the driver's timing phase: " + text;
    case analyze::MachineWindow::kRun:
      return "over the whole run, because it is unknown when the inferences were timed: " + text;
  }
  return text;
}

std::string cause_text(const MachineCause& cause) {
  const bool is_clock =
      cause.kind == MachineCauseKind::kGpuClock || cause.kind == MachineCauseKind::kCpuClock;
  const std::string_view verb = cause.to < cause.from ? "fell" : "rose";
  std::string text = is_clock ? format("{} {} from {:.0f} to {:.0f} MHz", subject_of(cause.kind),
                                       verb, cause.from, cause.to)
                              : format("{} {} from {:.1f} to {:.1f} processors",
                                       subject_of(cause.kind), verb, cause.from, cause.to);
  switch (cause.event) {
    case MachineEvent::kStep:
      if (cause.at) text += format(" at inference {}", grouped(*cause.at));
      break;
    case MachineEvent::kDrift:
      text += " while the times drifted";
      break;
    case MachineEvent::kWarmUp:
      text += " after the warm-up";
      break;
  }
  for (std::size_t i = 0; i < cause.reasons.size(); ++i) {
    text += format("{}{}", i == 0 ? " (" : ", ", reason_words(cause.reasons[i]));
  }
  return cause.reasons.empty() ? text : text + ")";
}

std::string causes_text(const MachineState& machine) {
  // More are in the documents.
  constexpr std::size_t kMaxCauses = 6;
  std::string text;
  const std::size_t shown = std::min(kMaxCauses, machine.causes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : "; ") + cause_text(machine.causes[i]);
  }
  if (machine.causes.size() > shown) {
    text += format("; and {} more", machine.causes.size() - shown);
  }
  return text;
}

}  // namespace planex::render
