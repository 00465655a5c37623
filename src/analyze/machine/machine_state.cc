#include "analyze/machine/machine_state.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "analyze/machine/machine_causes.h"
#include "analyze/timing/level_shifts.h"
#include "analyze/work/remark.h"
#include "base/numbers.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using model::PlanModel;
using Samples = model::MachineSamplesTable;

// A clock that is held down in fewer samples hardly moves a median.
constexpr double kMinThrottledShare = 0.05;
// Normal background load of systems is below this, of all processors.
constexpr double kMinOtherShare = 0.1;
// A hypervisor that takes this much shows in every percentile.
constexpr double kMinStolenShare = 0.05;
// Records of one machine at the same moment differ by less than a sample's period; a recording that
// ends before the first inference by more belongs to another run.
constexpr double kSlackMs = 1000;

constexpr std::string_view kSection = "machine";

std::string_view metadata_of(const PlanModel& model, std::string_view section,
                             std::string_view key) {
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) == section && model.text(table.key[row]) == key) {
      return model.text(table.value[row]);
    }
  }
  return {};
}

// A number as in JSON: an integer can also be written as 4.0 or 40e-1.
template <typename Number>
std::optional<Number> exact_number(std::string_view text) {
  if (const auto number = base::number_in<Number>(text)) return number;
  constexpr double kExact = 9'007'199'254'740'992.0;  // 2^53
  const auto number = base::number_in<double>(text);
  if (!number || std::abs(*number) > kExact) return std::nullopt;
  return static_cast<Number>(*number);
}

template <typename Number>
std::optional<Number> fact(const PlanModel& model, std::string_view key) {
  return exact_number<Number>(metadata_of(model, kSection, key));
}

struct Span {
  double start_ms = 0, end_ms = 0;
};

// From the first inference's start to the last one's end, on the clock of start_ms.
std::optional<Span> inferences_of(const PlanModel& model) {
  const model::IterationsTable& table = model.iterations;
  std::optional<Span> span;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto start = table.start_ms.get(row);
    if (!start || !std::isfinite(*start)) continue;
    const double end = std::max(*start, table.end_ms.get(row).value_or(*start));
    if (!span) span = {*start, end};
    span->start_ms = std::min(span->start_ms, *start);
    span->end_ms = std::max(span->end_ms, end);
  }
  return span;
}

bool is_aligned(const Samples& samples) {
  for (std::size_t row = 0; row < samples.row_count(); ++row) {
    const auto time = samples.inference_ms.get(row);
    if (!time || (row > 0 && *time < samples.inference_ms[row - 1])) return false;
  }
  return samples.row_count() > 0;
}

// The driver's phase in which inferences are timed, on the clock of time_ms. The next phase ends
// it.
std::optional<Span> timing_phase(const PlanModel& model, double end_ms) {
  constexpr std::string_view kPhase = "phase.";
  std::optional<Span> span;
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view key = model.text(table.key[row]);
    if (model.text(table.section[row]) != kSection || !key.starts_with(kPhase)) continue;
    const auto start = exact_number<double>(model.text(table.value[row]));
    if (!start) continue;
    if (span) return Span{span->start_ms, *start};
    if (key.substr(kPhase.size()) == "time") span = {*start, end_ms};
  }
  return span;
}

class StateFinder {
 public:
  StateFinder(const PlanModel& model, const std::optional<SteadyState>& state)
      : model_(model), samples_(model.machine_samples), steady_(state) {}

  std::optional<MachineState> find() {
    if (samples_.row_count() == 0) return std::nullopt;
    state_.sample_count = static_cast<std::int64_t>(samples_.row_count());
    find_window();
    add_figure("gpu-clock", "MHz", samples_.gpu_mhz);
    add_figure("gpu-temperature", "°C", samples_.gpu_temperature_c);
    add_figure("gpu-power", "W", samples_.gpu_power_w);
    add_figure("cpu-clock", "MHz", samples_.cpu_mhz);
    add_figure("cpu-temperature", "°C", samples_.cpu_temperature_c);
    find_throttling();
    find_loads();
    add_facts();
    if (state_.window == MachineWindow::kInferences) {
      if (steady_) state_.causes = find_machine_causes(samples_, origin_ms_, *steady_);
      add_series();
    }
    return std::move(state_);
  }

 private:
  void find_window() {
    const auto inferences = inferences_of(model_);
    if (inferences && is_aligned(samples_)) {
      state_.window = MachineWindow::kInferences;
      origin_ms_ = inferences->start_ms;
      take(samples_.inference_ms.values(), *inferences);
      return;
    }
    const auto times = samples_.time_ms.values();
    if (const auto phase = timing_phase(model_, times.back())) {
      state_.window = MachineWindow::kPhase;
      take(times, *phase);
      return;
    }
    take(times, {times.front(), times.back()});
  }

  // A measurement shorter than the sampling period uses the samples around it.
  void take(std::span<const double> times, Span span) {
    const auto first = std::ranges::lower_bound(times, span.start_ms) - times.begin();
    const auto end = std::ranges::upper_bound(times, span.end_ms) - times.begin();
    first_ = static_cast<std::size_t>(first);
    end_ = std::max(first_, static_cast<std::size_t>(end));
    if (end_ - first_ < 2) {
      if (first_ > 0) --first_;
      end_ = std::min(times.size(), std::max(end_ + 1, first_ + 2));
    }
    state_.window_count = static_cast<std::int64_t>(end_ - first_);
    state_.window_ms = span.end_ms - span.start_ms;
    times_ = times;
  }

  template <typename Column>
  void add_figure(std::string_view id, std::string_view unit, const Column& column) {
    const auto value = [&](std::size_t row) -> std::optional<double> {
      const auto number = column.get(row);
      return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
    };
    MachineFigure figure{.id = id, .unit = unit};
    std::vector<double> values;
    for (std::size_t row = first_; row < end_; ++row) {
      if (const auto number = value(row)) values.push_back(*number);
    }
    figure.before = value(0);
    figure.after = value(samples_.row_count() - 1);
    if (!values.empty()) {
      figure.min = std::ranges::min(values);
      figure.max = std::ranges::max(values);
      figure.median = median_of(std::move(values));
    }
    if (figure.before || figure.after || figure.median) state_.figures.push_back(figure);
  }

  void find_throttling() {
    std::int64_t known = 0;
    for (std::size_t row = first_; row < end_; ++row) {
      const auto bits = samples_.gpu_throttle_bits.get(row);
      if (!bits) continue;
      ++known;
      for (const ThrottleReason reason : throttle_reasons(*bits)) {
        auto entry = std::ranges::find(state_.throttled, reason, &ThrottleShare::reason);
        if (entry == state_.throttled.end()) {
          entry = state_.throttled.insert(entry, {.reason = reason});
        }
        entry->share += 1;
      }
    }
    for (ThrottleShare& entry : state_.throttled) entry.share /= static_cast<double>(known);
    std::ranges::stable_sort(state_.throttled, std::greater(), &ThrottleShare::share);
    const auto first = samples_.cpu_throttle_count.get(first_);
    const auto last = end_ > 0 ? samples_.cpu_throttle_count.get(end_ - 1) : std::nullopt;
    if (first && last) state_.cpu_throttle_count = *last - *first;
  }

  // Average number of busy processors, from a cumulative column; null where it can't be determined.
  std::optional<double> processors(const model::Int& column) const {
    if (end_ - first_ < 2) return std::nullopt;
    const auto first = column.get(first_), last = column.get(end_ - 1);
    const double ms = times_[end_ - 1] - times_[first_];
    if (!first || !last || ms <= 0) return std::nullopt;
    return std::max(0.0, static_cast<double>(*last - *first) / ms);
  }

  void find_loads() {
    state_.own_processors = processors(samples_.cpu_own_ms);
    state_.stolen_processors = processors(samples_.cpu_stolen_ms);
    const auto busy = processors(samples_.cpu_busy_ms);
    if (busy && state_.own_processors) {
      state_.other_processors = std::max(0.0, *busy - *state_.own_processors);
    }
  }

  void add_facts() {
    state_.processor_count = fact<std::int64_t>(model_, "cpu.count");
    state_.locked_cpu_mhz = fact<std::int64_t>(model_, "locked.cpu_mhz");
    state_.locked_gpu_mhz = fact<std::int64_t>(model_, "locked.gpu_mhz");
    state_.gpu_power_limit_w = fact<double>(model_, "gpu.power_limit_w");
    const std::string_view governor = metadata_of(model_, kSection, "cpu.governor");
    if (!governor.empty()) state_.governor = governor;
  }

  void add_series() {
    const auto add = [&](std::vector<double>& series, const model::Int& column) {
      bool is_known = false;
      for (std::size_t row = first_; row < end_; ++row) {
        const auto value = column.get(row);
        is_known = is_known || value;
        series.push_back(value ? static_cast<double>(*value)
                               : std::numeric_limits<double>::quiet_NaN());
      }
      if (!is_known) series.clear();
    };
    for (std::size_t row = first_; row < end_; ++row) {
      state_.series.start_ms.push_back(times_[row] - origin_ms_);
    }
    add(state_.series.gpu_mhz, samples_.gpu_mhz);
    add(state_.series.cpu_mhz, samples_.cpu_mhz);
  }

  const PlanModel& model_;
  const Samples& samples_;
  const std::optional<SteadyState>& steady_;
  MachineState state_;
  double origin_ms_ = 0;
  std::span<const double> times_;
  std::size_t first_ = 0, end_ = 0;
};

}  // namespace

std::string_view to_string(MachineEvent event) {
  switch (event) {
    case MachineEvent::kStep:
      return "step";
    case MachineEvent::kDrift:
      return "drift";
    case MachineEvent::kWarmUp:
      return "warm-up";
  }
  return {};
}

std::string_view to_string(MachineCauseKind kind) {
  switch (kind) {
    case MachineCauseKind::kGpuClock:
      return "gpu-clock";
    case MachineCauseKind::kCpuClock:
      return "cpu-clock";
    case MachineCauseKind::kOtherLoad:
      return "other-load";
    case MachineCauseKind::kStolen:
      return "stolen";
  }
  return {};
}

void align_machine_samples(PlanModel& model) {
  Samples& samples = model.machine_samples;
  const auto inferences = inferences_of(model);
  const auto machine = fact<std::int64_t>(model, "origin_monotonic_ns");
  const auto times = exact_number<std::int64_t>(metadata_of(model, "times", "origin_monotonic_ns"));
  if (samples.row_count() == 0 || !inferences || !machine || !times) return;
  constexpr double kMsPerNs = 1e-6;
  // Origins are positive, so their difference is a number.
  if (*machine < 0 || *times < 0) return;
  const double offset_ms = static_cast<double>(*machine - *times) * kMsPerNs;
  const std::size_t last = samples.row_count() - 1;
  if (samples.time_ms[0] + offset_ms > inferences->end_ms + kSlackMs ||
      samples.time_ms[last] + offset_ms < inferences->start_ms - kSlackMs) {
    remark_once(model, "machine-of-other-run",
                "the machine was recorded at a different time than the inferences were timed, so "
                "its state is not reported: put the files of one run together");
    return;
  }
  for (std::size_t row = 0; row <= last; ++row) {
    if (const auto time = samples.time_ms.get(row))
      samples.inference_ms.set(row, *time + offset_ms);
  }
}

std::optional<MachineState> find_machine_state(const PlanModel& model,
                                               const std::optional<SteadyState>& state) {
  for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
    if (model.text(model.diagnostics.code[row]) == "machine-of-other-run") return std::nullopt;
  }
  return StateFinder(model, state).find();
}

model::MachineJudgement machine_judgement(const MachineState& machine) {
  model::MachineJudgement judgement;
  // What happened while the engine was compiled does not discredit its times.
  if (machine.window == MachineWindow::kRun) return judgement;
  if (!machine.throttled.empty() && machine.throttled.front().share >= kMinThrottledShare) {
    judgement.throttled_by = machine.throttled.front().reason;
    judgement.throttled_share = machine.throttled.front().share;
  }
  if (machine.cpu_throttle_count.value_or(0) > 0) {
    judgement.cpu_throttle_count = machine.cpu_throttle_count;
  }
  const std::int64_t count = machine.processor_count.value_or(0);
  judgement.processor_count = count;
  const auto beyond = [&](std::optional<double> processors, double share) {
    const bool is_much =
        processors && count > 0 && *processors >= share * static_cast<double>(count);
    return is_much ? processors : std::nullopt;
  };
  judgement.other_processors = beyond(machine.other_processors, kMinOtherShare);
  judgement.stolen_processors = beyond(machine.stolen_processors, kMinStolenShare);
  return judgement;
}

}  // namespace planex::analyze
