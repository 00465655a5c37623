// Whether a challenger is faster than the best so far: when to stop measuring, and when it is
// proven.
//
// Both are measured in turns, so that whatever slows the machine slows both. A challenger that wins
// a first heat may have won by luck, the more likely the more were tried; so it must win again, in
// fresh runs, and only these say by how much. Why this keeps a change of nothing from being a gain:
// docs/design/0078-optimize.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "analyze/verdict/verdict.h"

namespace planex::analyze {

// Runs of each side in a heat at most; after kFirstLook of them it may end early.
inline constexpr std::size_t kHeatRuns = 3;
inline constexpr std::size_t kFirstLook = 1;
// A heat that is not decided but leans to the challenger goes on to this.
inline constexpr std::size_t kLongHeatRuns = 5;
// Runs of each side that confirm.
inline constexpr std::size_t kConfirmingRuns = 4;
// In the first look, a challenger that is slower by this is out: runs of one engine rarely differ
// by as much.
inline constexpr double kHopelessRatio = 0.1;

enum class RaceState : std::uint8_t {
  kRunning,    // another turn is needed
  kSlower,     // out
  kNoGain,     // out: the difference is within the noise
  kPromising,  // the heat is won
  kProven,     // and confirmed
};
std::string_view to_string(RaceState state);

struct RaceFigures {
  RaceState state = RaceState::kRunning;
  // Challenger ÷ best − 1, with its 95 % interval; null where there is nothing to compare.
  std::optional<double> change_ratio, low_ratio, high_ratio;
};

// After a turn of the first heat; both sides have the same number of runs.
RaceFigures judge_heat(std::span<const MeasuredRun> best, std::span<const MeasuredRun> challenger);

// After the fresh runs that confirm: kProven, or kNoGain.
RaceFigures judge_confirmation(std::span<const MeasuredRun> best,
                               std::span<const MeasuredRun> challenger);

}  // namespace planex::analyze
