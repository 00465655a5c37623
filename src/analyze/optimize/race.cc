#include "analyze/optimize/race.h"

namespace planex::analyze {
namespace {

RaceFigures figures_of(const Verdict& verdict, RaceState state) {
  return {.state = state,
          .change_ratio = verdict.change_ratio,
          .low_ratio = verdict.low_ratio,
          .high_ratio = verdict.high_ratio};
}

// The whole interval is below 0. A single run's interval includes what runs usually differ by.
bool is_faster(const Verdict& verdict) {
  return verdict.judgement == Judgement::kFaster && verdict.high_ratio && *verdict.high_ratio < 0;
}

bool leans_to_challenger(const Verdict& verdict) {
  return verdict.change_ratio && verdict.low_ratio && *verdict.change_ratio < 0 &&
         *verdict.low_ratio < 0;
}

}  // namespace

std::string_view to_string(RaceState state) {
  switch (state) {
    case RaceState::kRunning:
      return "running";
    case RaceState::kSlower:
      return "slower";
    case RaceState::kNoGain:
      return "no-gain";
    case RaceState::kPromising:
      return "promising";
    case RaceState::kProven:
      return "proven";
  }
  return {};
}

RaceFigures judge_heat(std::span<const MeasuredRun> best, std::span<const MeasuredRun> challenger) {
  const Verdict verdict = judge(best, challenger);
  const std::size_t turns = challenger.size();
  if (is_faster(verdict)) return figures_of(verdict, RaceState::kPromising);
  if (!verdict.change_ratio) return figures_of(verdict, RaceState::kNoGain);
  if (turns >= kFirstLook && *verdict.change_ratio > kHopelessRatio) {
    return figures_of(verdict, RaceState::kSlower);
  }
  if (turns < kHeatRuns) return figures_of(verdict, RaceState::kRunning);
  if (verdict.judgement == Judgement::kSlower) return figures_of(verdict, RaceState::kSlower);
  const bool goes_on = turns < kLongHeatRuns && leans_to_challenger(verdict);
  return figures_of(verdict, goes_on ? RaceState::kRunning : RaceState::kNoGain);
}

RaceFigures judge_confirmation(std::span<const MeasuredRun> best,
                               std::span<const MeasuredRun> challenger) {
  const Verdict verdict = judge(best, challenger);
  return figures_of(verdict, is_faster(verdict) ? RaceState::kProven : RaceState::kNoGain);
}

}  // namespace planex::analyze
