#include "render/words/timing_sentences.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "render/words/machine_sentences.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using analyze::SteadyState;
using base::counted;
using base::format;

std::string p_text(double p) {
  constexpr double kMin = 0.0001;
  return p < kMin ? "p < 0.0001" : format("p = {:.2g}", p);
}

class Remarks {
 public:
  Remarks(const model::PlanModel& model, const SteadyState& state,
          const std::optional<analyze::MachineState>& machine)
      : model_(model), state_(state), machine_(machine) {}

  std::vector<TimingStatement> all() const {
    if (state_.phases.empty()) return {};
    std::vector<TimingStatement> remarks = {{"warm-up", warm_up()}, {"drift", drift()},
                                            {"steps", steps()},     {"values", modes()},
                                            {"spikes", spikes()},   {"clocks", clocks()}};
    if (state_.concurrent > 1) {
      remarks.push_back(
          {"streams",
           format("{} concurrent inferences, {} of all overlap: the time of each includes "
                  "work of the others",
                  state_.concurrent, percent_text(state_.overlapping_share))});
    }
    if (machine_) {
      remarks.push_back({"machine", machine_text(*machine_)});
      if (!machine_->causes.empty()) remarks.push_back({"causes", causes_text(*machine_)});
    }
    return remarks;
  }

 private:
  std::string ms(double value) const {
    return level_ms_text(value, state_.trusted ? state_.trusted->median_ms : value);
  }

  std::string warm_up() const {
    if (!state_.warm_up) return "none seen in the file";
    const analyze::WarmUp& warm_up = *state_.warm_up;
    return format("the first {}: {} → {} ms",
                  counted(static_cast<std::size_t>(warm_up.range.count), "sample"),
                  ms(warm_up.from_ms), ms(warm_up.to_ms));
  }

  std::string drift() const {
    if (!state_.drift) return "unknown: too few samples";
    const analyze::Drift& drift = *state_.drift;
    std::string rate =
        format("{} per 1000 samples", timing_change_text(drift.per_1000_samples_ratio));
    if (drift.per_second_ratio)
      rate += format(", {} per s", timing_change_text(*drift.per_second_ratio));
    if (!drift.is_significant) {
      return format("none: {} after the warm-up, {}", timing_change_text(drift.change_ratio),
                    p_text(drift.p_value));
    }
    return format("{} after the warm-up: {} ({})", timing_change_text(drift.change_ratio), rate,
                  p_text(drift.p_value));
  }

  std::string steps() const {
    std::string text =
        state_.steps.empty() ? "none" : format("{}; levels", counted(state_.steps.size(), "step"));
    constexpr std::size_t kMaxLevels = 6;
    if (!state_.steps.empty()) {
      for (std::size_t i = 0; i < std::min(kMaxLevels, state_.levels.size()); ++i) {
        text += format("{} {} ms ({:.0f} %)", i == 0 ? "" : ",", ms(state_.levels[i].median_ms),
                       state_.levels[i].share * 100);
      }
      if (state_.levels.size() > kMaxLevels) {
        text += format(" and {} more", state_.levels.size() - kMaxLevels);
      }
    }
    if (!state_.excursions.empty()) {
      const analyze::Excursion& first = state_.excursions.front();
      text += format("; {} that reverted immediately, the first of {} at sample {}",
                     counted(state_.excursions.size(), "change"),
                     timing_change_text(first.change_ratio), grouped(first.range.first));
    }
    return text;
  }

  std::string modes() const {
    if (!state_.modes) return "one";
    const analyze::Modes& modes = *state_.modes;
    std::string text = format(
        "two: {} ms ({:.0f} %) and {} ms ({:.0f} %), {} apart; on average {:.1f} samples in a row",
        ms(modes.low_ms), modes.low_share * 100, ms(modes.high_ms), modes.high_share * 100,
        percent_text(modes.change_ratio), modes.mean_run);
    if (modes.period) {
      text += format("; the {} one {}", modes.high_share < 0.5 ? "slower" : "quicker",
                     period_text(*modes.period));
    }
    return text;
  }

  std::string spikes() const {
    if (!state_.spikes || state_.spikes->count == 0) return "none";
    const analyze::Spikes& spikes = *state_.spikes;
    std::string text =
        format("{} above {} of their level ({} of samples, {} of time), up to {} ms",
               grouped(spikes.count), timing_change_text(spikes.threshold_ratio),
               percent_text(spikes.share), percent_text(spikes.cost_share), ms(*spikes.max_ms));
    text += format("; {}", counted(static_cast<std::size_t>(spikes.burst_count), "burst"));
    if (spikes.period) text += " " + period_text(*spikes.period);
    if (spikes.inner_period)
      text += format("; within bursts {}", period_text(*spikes.inner_period));
    return text;
  }

  // Null if the device's clock was not read while inferences were timed.
  const analyze::MachineFigure* measured_clock() const {
    if (!machine_ || machine_->window == analyze::MachineWindow::kRun) return nullptr;
    const bool is_gpu = model_.text(model_.engine.producer[0]).starts_with("tensorrt");
    const auto figure = std::ranges::find(machine_->figures, is_gpu ? "gpu-clock" : "cpu-clock",
                                          &analyze::MachineFigure::id);
    return figure != machine_->figures.end() && figure->median ? &*figure : nullptr;
  }

  std::string clocks() const {
    if (const analyze::MachineFigure* clock = measured_clock()) {
      return format("measured: {}", range_text(*clock));
    }
    if (state_.clock_signs.empty()) return "not recorded; no sign of a change";
    // Other programs, heat and a clock change times in the same way: none is named as the cause.
    std::string text = "not recorded; ";
    bool first = true;
    for (const analyze::ClockSign sign : state_.clock_signs) {
      text += first ? "" : ", ";
      first = false;
      switch (sign) {
        case analyze::ClockSign::kSteps:
          text += "the level changes in steps larger than its spread";
          break;
        case analyze::ClockSign::kWarmUp:
          text += "the start has a different level";
          break;
        case analyze::ClockSign::kDrift:
          text += "the level drifts";
          break;
        case analyze::ClockSign::kModes:
          text += "two values alternate in runs";
          break;
      }
    }
    const std::string_view producer = model_.text(model_.engine.producer[0]);
    text += format(", which a changing clock or other work on the device can cause; {}",
                   producer.starts_with("tensorrt")
                       ? "measure with `nvidia-smi --lock-gpu-clocks` to tell them apart"
                       : "run with a fixed frequency to tell them apart");
    return text;
  }

  const model::PlanModel& model_;
  const SteadyState& state_;
  const std::optional<analyze::MachineState>& machine_;
};

Conclusion measured_conclusion(const SteadyState& state) {
  Conclusion conclusion{sentence(steadiness_text(state)), {}};
  if (!state.trusted) return conclusion;
  const analyze::TrustedFigures& figures = *state.trusted;
  const auto ms = [&](double value) { return level_ms_text(value, figures.median_ms); };
  conclusion.text =
      format("Trust samples {} to {}, {:.0f} % of all: median {} ms, 95 % confidence {} to {} ms.",
             grouped(figures.range.first), grouped(figures.range.last), figures.share * 100,
             ms(figures.median_ms), ms(figures.median_low_ms), ms(figures.median_high_ms));
  return conclusion;
}

// For statistics of samples that the files do not contain.
Conclusion figures_conclusion(const analyze::EndToEnd& figures) {
  Conclusion conclusion{"No samples of inference times, only their statistics.", {}};
  std::string text = figures.source == "log" ? "The log says" : "The benchmark's report says";
  bool first = true;
  const auto add = [&](std::string_view name, const std::optional<double>& value) {
    if (!value) return;
    text += format("{} {} {} ms", first ? ":" : ",", name, ms_text(*value));
    first = false;
  };
  add("median", figures.median_ms);
  if (!figures.median_ms) add("mean", figures.mean_ms);
  add("p99", figures.p99_ms);
  add("max", figures.max_ms);
  if (figures.count > 0) {
    text += format(" of {}", counted(static_cast<std::size_t>(figures.count), "inference"));
  }
  conclusion.text = text + ". Whether they were steady is unknown.";
  return conclusion;
}

}  // namespace

std::string timing_change_text(double ratio) { return format("{:+.2f} %", ratio * 100); }

std::string level_ms_text(double value_ms, double level_ms) {
  return format("{:.{}f}", value_ms, level_ms < 0.1 ? 5 : level_ms < 1 ? 4 : 3);
}

std::vector<TimingStatement> timing_statements(const model::PlanModel& model,
                                               const analyze::Summary& summary) {
  if (!summary.steady_state) return {};
  return Remarks(model, *summary.steady_state, summary.machine).all();
}

Conclusion timing_conclusion(const analyze::Summary& summary) {
  if (summary.steady_state) return measured_conclusion(*summary.steady_state);
  const analyze::Reconciliation& time = summary.time;
  if (time.end_to_end) return figures_conclusion(*time.end_to_end);
  if (time.is_of_other_profile) {
    return {"No inference times for this profile.",
            "The times belong to another optimization profile; --profile shows it."};
  }
  Conclusion conclusion{"No inference times: steadiness unknown.", {}};
  if (time.basis != analyze::TimeBasis::kNone) {
    const bool median = time.basis == analyze::TimeBasis::kMedian;
    conclusion.text = format("There are layer times: their {} add up to {} ms.",
                             median ? "medians" : "means", ms_text(*time.layers_ms()));
  }
  return conclusion;
}

}  // namespace planex::render
