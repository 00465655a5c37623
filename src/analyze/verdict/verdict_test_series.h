// Synthetic times of inferences with a known truth. For the tests and bench/gate_rates.cc; the same
// on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/verdict/verdict.h"

namespace planex::analyze {

// Those of <random> differ between libraries.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : engine_(seed) {}

  double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
  double normal() {
    constexpr double kTwoPi = 6.283185307179586;
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(kTwoPi * uniform());
  }
  // Depends on the previous value: an autoregressive process of variance 1.
  double remembering(double memory) {
    last_ = memory * last_ + std::sqrt(1 - memory * memory) * normal();
    return last_;
  }
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(bound));
  }

 private:
  std::mt19937_64 engine_;
  double last_ = 0;
};

// All ratios are relative to the level.
struct Machine {
  std::size_t count = 300;
  double level_ms = 1;
  double noise_ratio = 0.01;        // standard deviation of samples
  double memory = 0;                // correlation of neighbours
  double run_spread_ratio = 0.003;  // standard deviation of the level from run to run
  double step_ms = 0;               // of the timer
  double spike_share = 0, spike_ratio = 0.5;
  // Each of these happens to a run with this probability.
  double odd_chance = 1;
  double drift_ratio = 0;    // over the run, up or down by chance
  double warm_up_ratio = 0;  // at the start, decays within a tenth of the run
  double clock_ratio = 0;    // one step, up or down by chance, anywhere
  double mode_ratio = 0;     // two values
  double mode_change = 0.1;  // probability that the next sample draws its mode again
  double slow_share = 0;     // of samples in the slower mode; 0: drawn again for every run
};

// A kind of machine and engine, as docs/design/0023 lists them.
struct MachineKind {
  std::string_view name;
  Machine machine;
};

// In the order of the table. Runs differ by 0.3 % unless a kind says otherwise.
inline constexpr MachineKind kMachineKinds[] = {
    {"quiet", {.noise_ratio = 0.002}},
    {"usual", {}},
    {"noisy", {.noise_ratio = 0.05}},
    {"memory 0.5", {.memory = 0.5}},
    {"memory 0.95", {.count = 2000, .noise_ratio = 0.005, .memory = 0.95}},
    {"15 samples", {.count = 15}},
    {"30 samples", {.count = 30}},
    {"timer of 1 %", {.noise_ratio = 0.008, .step_ms = 0.01}},
    {"timer of 2 %", {.step_ms = 0.02}},
    {"timer of 5 %", {.noise_ratio = 0.02, .step_ms = 0.05}},
    {"spikes", {.spike_share = 0.05}},
    {"drift 4 %", {.odd_chance = 0.5, .drift_ratio = 0.04}},
    {"warm-up 30 %", {.odd_chance = 0.5, .warm_up_ratio = 0.3}},
    {"clock step 6 %", {.odd_chance = 0.5, .clock_ratio = 0.06}},
    {"two modes 6 %", {.noise_ratio = 0.005, .mode_ratio = 0.06}},
    {"two modes, half", {.noise_ratio = 0.005, .mode_ratio = 0.06, .slow_share = 0.5}},
    {"two modes, independent",
     {.noise_ratio = 0.005, .mode_ratio = 0.06, .mode_change = 1, .slow_share = 0.5}},
    {"two modes, some runs", {.noise_ratio = 0.005, .odd_chance = 0.5, .mode_ratio = 0.06}},
    {"runs differ 0.6 %", {.run_spread_ratio = 0.006}},
    {"runs differ 1 %", {.run_spread_ratio = 0.01}},
    {"runs differ 1.5 %", {.run_spread_ratio = 0.015}},
    {"runs differ 3 %", {.run_spread_ratio = 0.03}},
};

// Requirements of the gate's tests.
inline constexpr GateOptions kGate = {.fail_above_ratio = 0.03};

// One run.
inline std::vector<double> run_on(const Machine& machine, std::uint64_t seed) {
  Noise noise(seed * 2'654'435'761U + 17);
  const double level = machine.level_ms * (1 + machine.run_spread_ratio * noise.normal());
  const bool is_odd = noise.uniform() < machine.odd_chance;
  const double sign = noise.uniform() < 0.5 ? -1 : 1;
  const double step_at = noise.uniform();
  const double drawn_share = 0.1 + 0.8 * noise.uniform();
  const double slow_share = machine.slow_share > 0 ? machine.slow_share : drawn_share;
  bool is_slow = false;
  double remembered = noise.normal();
  std::vector<double> samples;
  samples.reserve(machine.count);
  for (std::size_t i = 0; i < machine.count; ++i) {
    const double place = static_cast<double>(i) / static_cast<double>(machine.count);
    remembered = machine.memory * remembered +
                 std::sqrt(1 - machine.memory * machine.memory) * noise.normal();
    double ratio = 1 + machine.noise_ratio * remembered;
    if (is_odd) {
      ratio *= 1 + sign * machine.drift_ratio * (place - 0.5);
      ratio *= 1 + machine.warm_up_ratio * std::exp(-place * 40);
      if (place > step_at) ratio *= 1 + sign * machine.clock_ratio;
      if (machine.mode_ratio > 0) {
        if (noise.uniform() < machine.mode_change) is_slow = noise.uniform() < slow_share;
        if (is_slow) ratio *= 1 + machine.mode_ratio;
      }
    }
    if (noise.uniform() < machine.spike_share) ratio *= 1 + machine.spike_ratio * noise.uniform();
    double ms = level * std::max(ratio, 0.1);
    if (machine.step_ms > 0) ms = std::max(1.0, std::round(ms / machine.step_ms)) * machine.step_ms;
    samples.push_back(ms);
  }
  return samples;
}

// A stretch of a real run, from anywhere in it, times `factor`. A series combined from several
// stretches would step at the seams.
inline std::vector<double> stretch_of(std::span<const double> real, std::size_t count,
                                      double factor, std::uint64_t seed) {
  Noise noise(seed * 40'503 + 11);
  const std::size_t first = noise.below(real.size() - count + 1);
  std::vector<double> samples;
  for (const double ms : real.subspan(first, count)) samples.push_back(ms * factor);
  return samples;
}

inline MeasuredRun measured(std::vector<double> samples) {
  TimingSeries series;
  series.field = "compute";
  double start = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    series.positions.push_back(static_cast<std::int64_t>(i));
    series.start_ms.push_back(start);
    start += samples[i] + 0.01;
  }
  series.ms = std::move(samples);
  return measure_run(series);
}

enum class PairSide : std::uint8_t { kBase, kCandidate };

// Runs of one side of a pair of engines. `make` makes a run of an engine that is slower by
// `factor`: make(factor, seed). A pair has the same noise for any factor, and a smaller number of
// runs takes the first ones.
template <typename Make>
std::vector<MeasuredRun> runs_of_pair(const Make& make, std::uint64_t pair, PairSide side,
                                      std::size_t runs, double factor = 1) {
  std::vector<MeasuredRun> result;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::uint64_t seed = (pair * 64 + run) * 2 + (side == PairSide::kCandidate ? 1 : 0);
    result.push_back(measured(make(factor, seed)));
  }
  return result;
}

}  // namespace planex::analyze
