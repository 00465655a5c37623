// How often `planex compare --fail-on-regression 3%` is wrong, and how often it is right: pairs of
// simulated runs whose truth is known. A table, separated by tabs: per kind of machine, true
// slow-down and runs a side, how many pairs were judged how and what the gate said, and in how many
// the truth lay outside of the interval.
//
//   gate_rates PAIRS [NAME=FILE...]
//
// Each FILE is a real series, one time in ms a line; stretches of a third of it are the runs.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/verdict/verdict.h"
#include "analyze/verdict/verdict_test_series.h"

namespace planex::analyze {
namespace {

constexpr double kThreshold = 0.03;

struct Tally {
  std::array<int, 5> judged{};
  std::array<int, 5> gated{};
  // The truth lies outside of the interval, of those that have one.
  int missed = 0, intervals = 0;
};

using MakeRun = std::function<std::vector<double>(double factor, std::uint64_t seed)>;

Tally tally(const MakeRun& base, const MakeRun& candidate, double truth, int runs, int pairs) {
  Tally result;
  std::uint64_t seed = 1;
  for (int pair = 0; pair < pairs; ++pair) {
    std::vector<MeasuredRun> a, b;
    for (int run = 0; run < runs; ++run) {
      a.push_back(measured(base(1, seed++)));
      b.push_back(measured(candidate(1 + truth, seed++)));
    }
    const Verdict verdict = judge(a, b, {.fail_above_ratio = kThreshold});
    ++result.judged.at(static_cast<std::size_t>(verdict.judgement));
    ++result.gated.at(static_cast<std::size_t>(verdict.gate));
    if (!verdict.low_ratio) continue;
    ++result.intervals;
    if (truth < *verdict.low_ratio || truth > *verdict.high_ratio) ++result.missed;
  }
  return result;
}

void print(const std::string& kind, double truth, int runs, int pairs, const Tally& tally) {
  std::printf("%s\t%g\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", kind.c_str(), truth, runs, pairs,
              tally.judged[0], tally.judged[1], tally.judged[2], tally.judged[3], tally.gated[2],
              tally.gated[1], tally.gated[3], tally.missed);
  std::fflush(stdout);
}

struct Kind {
  std::string_view name;
  Machine machine;
};

// In the order of the table.
const Kind kKinds[] = {
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

std::vector<double> read_series(const char* path) {
  std::ifstream file(path);
  return {std::istream_iterator<double>(file), std::istream_iterator<double>()};
}

int run(int argc, char** argv) {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 0;
  if (pairs < 1) {
    std::fprintf(stderr, "usage: gate_rates PAIRS [NAME=FILE...]\n");
    return 2;
  }
  std::printf(
      "kind\ttruth\truns\tpairs\tslower\tfaster\twithin noise\tunclear\tfailed\tpassed\tundecided\t"
      "missed\n");
  for (const Kind& kind : kKinds) {
    const MakeRun make = [&](double factor, std::uint64_t seed) {
      Machine machine = kind.machine;
      machine.level_ms *= factor;
      return run_on(machine, seed);
    };
    for (const double truth : {0.0, 0.03, 0.05, 0.08}) {
      print(std::string(kind.name), truth, 1, pairs, tally(make, make, truth, 1, pairs));
    }
    for (const double truth : {0.0, 0.05}) {
      print(std::string(kind.name), truth, 3, pairs, tally(make, make, truth, 3, pairs));
    }
  }
  for (int i = 2; i < argc; ++i) {
    const std::string_view argument(argv[i]);
    const std::size_t equals = argument.find('=');
    if (equals == std::string_view::npos) continue;
    const std::vector<double> real = read_series(argv[i] + equals + 1);
    if (real.size() < 100) continue;
    const MakeRun make = [&](double factor, std::uint64_t seed) {
      return stretch_of(real, real.size() / 3, factor, seed);
    };
    for (const double truth : {0.0, 0.05}) {
      print(std::string(argument.substr(0, equals)), truth, 1, pairs,
            tally(make, make, truth, 1, pairs));
    }
  }
  return 0;
}

}  // namespace
}  // namespace planex::analyze

int main(int argc, char** argv) { return planex::analyze::run(argc, argv); }
