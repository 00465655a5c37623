// How often `planex compare --fail-on-regression 3%` is wrong, and how often it is right: pairs of
// simulated engines whose truth is known. A table, separated by tabs: per kind of machine, true
// slow-down, runs of base and candidate, and what is known of the runs' spread (empty: nothing),
// how many pairs were judged how and what the gate said, and in how many the truth lay outside of
// the interval.
//
//   gate_rates PAIRS [NAME=FILE...]
//
// Each FILE is a real series, one time in ms a line; stretches of a third of it are the runs.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/verdict/verdict.h"
#include "analyze/verdict/verdict_test_series.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

constexpr double kThreshold = 0.03;
constexpr std::array kTruths = {0.0, 0.05, 0.1};

// Runs of the base and of the candidate. A gate often has several of the one and one of the other.
struct Design {
  std::size_t base, candidate;
  // What runs are known to differ by (--run-spread).
  std::optional<double> known_spread;
};
constexpr double kKnownSpread = 0.003;
constexpr std::array kDesigns = {Design{1, 1, {}}, Design{1, 1, kKnownSpread}, Design{2, 2, {}},
                                 Design{3, 1, {}}, Design{3, 3, {}},           Design{5, 5, {}}};
constexpr std::size_t kMaxRuns = 5;

struct Tally {
  std::array<int, 5> judged{};
  std::array<int, 5> gated{};
  // The truth lies outside of the interval.
  int missed = 0;
};

using MakeRun = std::function<std::vector<double>(double factor, std::uint64_t seed)>;

void count(std::span<const MeasuredRun> base, std::span<const MeasuredRun> candidate,
           const Design& design, double truth, Tally& tally) {
  const Verdict verdict =
      judge(base.first(design.base), candidate.first(design.candidate),
            {.fail_above_ratio = kThreshold, .assumed_run_spread_ratio = design.known_spread});
  ++tally.judged.at(static_cast<std::size_t>(verdict.judgement));
  ++tally.gated.at(static_cast<std::size_t>(verdict.gate));
  if (!verdict.low_ratio) return;
  if (truth < *verdict.low_ratio || truth > *verdict.high_ratio) ++tally.missed;
}

void print(const std::string& kind, const MakeRun& make, int pairs) {
  std::array<std::array<Tally, kDesigns.size()>, kTruths.size()> tallies;
  for (int i = 0; i < pairs; ++i) {
    const auto pair = static_cast<std::uint64_t>(i) + 1;
    const auto base = runs_of_pair(make, pair, PairSide::kBase, kMaxRuns);
    for (std::size_t truth = 0; truth < kTruths.size(); ++truth) {
      const auto candidate =
          runs_of_pair(make, pair, PairSide::kCandidate, kMaxRuns, 1 + kTruths.at(truth));
      for (std::size_t design = 0; design < kDesigns.size(); ++design) {
        count(base, candidate, kDesigns.at(design), kTruths.at(truth),
              tallies.at(truth).at(design));
      }
    }
  }
  for (std::size_t truth = 0; truth < kTruths.size(); ++truth) {
    for (std::size_t i = 0; i < kDesigns.size(); ++i) {
      const Design& design = kDesigns.at(i);
      const auto& [judged, gated, missed] = tallies.at(truth).at(i);
      const std::string known =
          design.known_spread ? base::format("{}", *design.known_spread) : std::string();
      std::printf("%s\t%g\t%zu\t%zu\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", kind.c_str(),
                  kTruths.at(truth), design.base, design.candidate, known.c_str(), pairs, judged[0],
                  judged[1], judged[2], judged[3], gated[2], gated[1], gated[3], missed);
    }
  }
  std::fflush(stdout);
}

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
      "kind\ttruth\tbase runs\tcandidate runs\tknown spread\tpairs\tslower\tfaster\twithin noise\t"
      "unclear\tfailed\tpassed\tundecided\tmissed\n");
  for (const MachineKind& kind : kMachineKinds) {
    const MakeRun make = [&](double factor, std::uint64_t seed) {
      Machine machine = kind.machine;
      machine.level_ms *= factor;
      return run_on(machine, seed);
    };
    print(std::string(kind.name), make, pairs);
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
    print(std::string(argument.substr(0, equals)), make, pairs);
  }
  return 0;
}

}  // namespace
}  // namespace planex::analyze

int main(int argc, char** argv) { return planex::analyze::run(argc, argv); }
