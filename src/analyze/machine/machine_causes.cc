#include "analyze/machine/machine_causes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>

#include "analyze/timing/level_shifts.h"

namespace planex::analyze {
namespace {

using Samples = model::MachineSamplesTable;

// Clocks that differ by less count as the same: governors of processors dither by this much.
constexpr double kMinClockChange = 0.01;
// A part of a processor that exceeds the normal background load of a system.
constexpr double kMinLoadChange = 0.5;
// Number of samples next to a change that show the state before it, and after.
constexpr std::size_t kNearSamples = 5;
constexpr std::size_t kMinNearSamples = 2;

struct ReasonBit {
  std::int64_t bit;
  ThrottleReason reason;
};
// nvmlClocksEventReason*: NVML API Reference Guide.
constexpr std::array<ReasonBit, 5> kReasonBits = {{{0x04, ThrottleReason::kPowerCap},
                                                   {0x08, ThrottleReason::kHardwareSlowdown},
                                                   {0x20, ThrottleReason::kSoftwareThermal},
                                                   {0x40, ThrottleReason::kHardwareThermal},
                                                   {0x80, ThrottleReason::kPowerBrake}}};

// Contiguous stretch of the samples, ascending.
struct Stretch {
  std::size_t first = 0, end = 0;
  std::size_t count() const { return end - first; }
};

class Causes {
 public:
  Causes(const Samples& samples, double origin_ms, const SteadyState& state)
      : samples_(samples), origin_ms_(origin_ms), state_(state) {}

  std::vector<MachineCause> find() {
    if (!state_.duration_ms) return {};
    period_ms_ = median_period();
    double before_ms = state_.warm_up ? state_.warm_up->range.end_ms.value_or(0) : 0;
    if (state_.warm_up && state_.warm_up->range.end_ms) {
      const double end = *state_.warm_up->range.end_ms;
      const double next =
          state_.steps.empty() ? *state_.duration_ms : state_.steps[0].at_ms.value_or(end);
      explain(MachineEvent::kWarmUp, {}, last_of(rows(0, end - period_ms_)),
              first_of(rows(end + period_ms_, next)),
              state_.warm_up->to_ms / state_.warm_up->from_ms - 1);
    }
    for (std::size_t i = 0; i < state_.steps.size(); ++i) {
      const Step& step = state_.steps[i];
      if (!step.at_ms) continue;
      const double next = i + 1 < state_.steps.size()
                              ? state_.steps[i + 1].at_ms.value_or(*state_.duration_ms)
                              : *state_.duration_ms;
      // A sample within one period of the change can belong to either side.
      explain(MachineEvent::kStep, step.at, last_of(rows(before_ms, *step.at_ms - period_ms_)),
              first_of(rows(*step.at_ms + period_ms_, next)), step.change_ratio);
      before_ms = *step.at_ms;
    }
    if (state_.drift && state_.drift->is_significant) {
      const Stretch all = rows(before_ms, *state_.duration_ms);
      explain(MachineEvent::kDrift, {}, first_of(all), last_of(all), state_.drift->change_ratio);
    }
    return std::move(causes_);
  }

 private:
  double median_period() const {
    std::vector<double> periods;
    for (std::size_t row = 1; row < samples_.row_count(); ++row) {
      periods.push_back(samples_.inference_ms[row] - samples_.inference_ms[row - 1]);
    }
    return periods.empty() ? 0 : median_of(std::move(periods));
  }

  // Since the start of the first inference.
  Stretch rows(double from_ms, double to_ms) const {
    const auto times = samples_.inference_ms.values();
    const auto first = std::ranges::lower_bound(times, origin_ms_ + from_ms);
    const auto end = std::ranges::upper_bound(times, origin_ms_ + to_ms);
    const auto at = static_cast<std::size_t>(first - times.begin());
    return {at, std::max(at, static_cast<std::size_t>(end - times.begin()))};
  }
  static Stretch last_of(Stretch rows) {
    return {rows.end - std::min(rows.count(), kNearSamples), rows.end};
  }
  static Stretch first_of(Stretch rows) {
    return {rows.first, rows.first + std::min(rows.count(), kNearSamples)};
  }

  std::optional<double> clock(const model::Int& column, Stretch rows) const {
    std::vector<double> values;
    for (std::size_t row = rows.first; row < rows.end; ++row) {
      if (const auto value = column.get(row)) values.push_back(static_cast<double>(*value));
    }
    if (values.size() < kMinNearSamples) return std::nullopt;
    return median_of(std::move(values));
  }

  using Load = std::function<std::optional<double>(std::size_t row)>;
  // Average number of busy processors, from a cumulative column.
  std::optional<double> load(const Load& total_ms, Stretch rows) const {
    if (rows.count() < kMinNearSamples) return std::nullopt;
    const auto first = total_ms(rows.first), last = total_ms(rows.end - 1);
    const double ms = samples_.inference_ms[rows.end - 1] - samples_.inference_ms[rows.first];
    if (!first || !last || ms <= 0) return std::nullopt;
    return (*last - *first) / ms;
  }

  // `change` of the times: above 0, they became longer.
  void explain(MachineEvent event, std::optional<std::int64_t> at, Stretch before, Stretch after,
               double change) {
    if (before.count() < kMinNearSamples || after.count() < kMinNearSamples) return;
    const MachineCause cause{.event = event, .at = at, .reasons = {}};
    explain_clock(cause, MachineCauseKind::kGpuClock, samples_.gpu_mhz, before, after, change);
    explain_clock(cause, MachineCauseKind::kCpuClock, samples_.cpu_mhz, before, after, change);
    explain_load(cause, MachineCauseKind::kOtherLoad, before, after, change,
                 [this](std::size_t row) -> std::optional<double> {
                   const auto busy = samples_.cpu_busy_ms.get(row);
                   const auto own = samples_.cpu_own_ms.get(row);
                   if (!busy || !own) return std::nullopt;
                   return static_cast<double>(*busy - *own);
                 });
    explain_load(cause, MachineCauseKind::kStolen, before, after, change,
                 [this](std::size_t row) -> std::optional<double> {
                   const auto stolen = samples_.cpu_stolen_ms.get(row);
                   if (!stolen) return std::nullopt;
                   return static_cast<double>(*stolen);
                 });
  }

  void explain_clock(MachineCause cause, MachineCauseKind kind, const model::Int& column,
                     Stretch before, Stretch after, double change) {
    const auto from = clock(column, before), to = clock(column, after);
    if (!from || !to || *from <= 0) return;
    const double clock_change = *to / *from - 1;
    // A higher clock does not make inferences slower.
    if (std::abs(clock_change) < kMinClockChange || clock_change * change >= 0) return;
    cause.kind = kind;
    cause.from = *from;
    cause.to = *to;
    if (kind == MachineCauseKind::kGpuClock && clock_change < 0) {
      for (const ReasonBit& reason : kReasonBits) {
        if (is_mostly_held(reason.bit, after) && !is_mostly_held(reason.bit, before)) {
          cause.reasons.push_back(reason.reason);
        }
      }
    }
    causes_.push_back(std::move(cause));
  }

  bool is_mostly_held(std::int64_t bit, Stretch rows) const {
    std::size_t held = 0;
    for (std::size_t row = rows.first; row < rows.end; ++row) {
      if ((samples_.gpu_throttle_bits.get(row).value_or(0) & bit) != 0) ++held;
    }
    return 2 * held > rows.count();
  }

  void explain_load(MachineCause cause, MachineCauseKind kind, Stretch before, Stretch after,
                    double change, const Load& total_ms) {
    const auto from = load(total_ms, before), to = load(total_ms, after);
    if (!from || !to) return;
    const double load_change = *to - *from;
    if (std::abs(load_change) < kMinLoadChange || load_change * change <= 0) return;
    cause.kind = kind;
    cause.from = std::max(0.0, *from);
    cause.to = std::max(0.0, *to);
    causes_.push_back(std::move(cause));
  }

  const Samples& samples_;
  double origin_ms_;
  const SteadyState& state_;
  double period_ms_ = 0;
  std::vector<MachineCause> causes_;
};

}  // namespace

std::vector<MachineCause> find_machine_causes(const Samples& samples, double origin_ms,
                                              const SteadyState& state) {
  return Causes(samples, origin_ms, state).find();
}

std::vector<ThrottleReason> throttle_reasons(std::int64_t bits) {
  std::vector<ThrottleReason> reasons;
  for (const ReasonBit& reason : kReasonBits) {
    if ((bits & reason.bit) != 0) reasons.push_back(reason.reason);
  }
  return reasons;
}

}  // namespace planex::analyze
