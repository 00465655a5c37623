#include "analyze/verdict/shared_levels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace planex::analyze {
namespace {

// Levels of several runs count as one if they are no farther apart than undisturbed runs (a
// standard deviation of kAssumedRunSpreadRatio each), or than those on a worse machine.
constexpr double kSameLevel = 0.008;
constexpr double kNearLevel = 0.02;
// A level that a run visited for less than this was an excursion.
constexpr double kVisitShare = 0.02;
// A run with one level belongs to the nearer mode if that is nearer by this factor.
constexpr double kNearer = 2;
// Uncertainty of the mix of a run whose modes were taken for steps: a quarter.
constexpr double kUnknownMix = 0.25;

bool has_modes(const MeasuredRun& run) {
  return run.levels.size() == 2 && run.levels.front().kind == LevelKind::kMode &&
         run.levels.back().kind == LevelKind::kMode;
}

double log_of(const RunLevel& level) { return std::log(level.median_ms); }

Figure figure_at(const RunLevel& level) {
  return figure_of(level.median_ms, level.low_ms, level.high_ms);
}

void finish(SharedLevel& level) {
  std::vector<Figure> figures;
  for (const FigureOfRun& run : level.runs) {
    if (run) figures.push_back(*run);
  }
  level.run_count = figures.size();
  level.mean = mean_of(figures);
}

struct Visits {
  std::array<FigureOfRun, 2> at;
  double high_share = 0;
};

// Which of two modes a run shows if it does not alternate: a single level belongs to the nearer
// one; of several, each mode has the nearest, and none may be outside of both.
std::optional<Visits> visits_of(const MeasuredRun& run, const std::array<double, 2>& center) {
  Visits visits;
  if (run.levels.size() == 1) {
    const double low = std::abs(log_of(run.levels.front()) - center[0]);
    const double high = std::abs(log_of(run.levels.front()) - center[1]);
    if (std::max(low, high) < kNearer * std::min(low, high)) return std::nullopt;
    visits.high_share = high < low ? 1 : 0;
    visits.at.at(high < low ? 1 : 0) = figure_at(run.levels.front());
    return visits;
  }
  double share = 0;
  for (const RunLevel& level : run.levels) {
    const double place = log_of(level);
    if (level.kind == LevelKind::kDrift) return std::nullopt;
    if (place < center[0] - kNearLevel || place > center[1] + kNearLevel) return std::nullopt;
    share += level.share;
    const double within = std::clamp((place - center[0]) / (center[1] - center[0]), 0.0, 1.0);
    visits.high_share += level.share * within;
    for (std::size_t i = 0; i < 2; ++i) {
      FigureOfRun& at = visits.at.at(i);
      const double distance = std::abs(place - center.at(i));
      if (distance > kSameLevel || (at && std::abs(at->center - center.at(i)) < distance)) continue;
      at = figure_at(level);
    }
  }
  if (!visits.at[0] && !visits.at[1]) return std::nullopt;
  if (share > 0) visits.high_share /= share;
  return visits;
}

std::optional<SharedSide> modes_of(std::span<const MeasuredRun> runs) {
  std::array<double, 2> center{};
  double count = 0;
  for (const MeasuredRun& run : runs) {
    if (!has_modes(run)) continue;
    center[0] += log_of(run.levels.front());
    center[1] += log_of(run.levels.back());
    ++count;
  }
  if (count == 0) return std::nullopt;
  for (double& one : center) one /= count;
  SharedSide side;
  side.levels.resize(2);
  for (const MeasuredRun& run : runs) {
    std::array<FigureOfRun, 2> at;
    double share = 0, error = 0;
    if (has_modes(run)) {
      at = {figure_at(run.levels.front()), figure_at(run.levels.back())};
      share = run.levels.back().share;
      error = run.levels.back().share_error;
    } else {
      const auto visits = visits_of(run, center);
      if (!visits) return std::nullopt;
      at = visits->at;
      share = visits->high_share;
      error = run.levels.size() > 1 ? kUnknownMix : 0;
    }
    for (std::size_t i = 0; i < 2; ++i) side.levels[i].runs.push_back(at.at(i));
    const double own = at[0] ? at[0]->center : at[1]->center - (center[1] - center[0]);
    const double gap = at[0] && at[1] ? at[1]->center - at[0]->center : center[1] - center[0];
    side.mixed.push_back(own + share * gap);
    side.mixed_error.push_back(gap * error);
  }
  for (SharedLevel& level : side.levels) finish(level);
  return side;
}

// The run's level nearest to `place` and within `reach` of it.
const RunLevel* level_at(const MeasuredRun& run, double place, double reach) {
  const RunLevel* nearest = nullptr;
  for (const RunLevel& level : run.levels) {
    const double distance = std::abs(log_of(level) - place);
    if (level.share < kVisitShare || distance > reach) continue;
    if (nearest == nullptr || distance < std::abs(log_of(*nearest) - place)) nearest = &level;
  }
  return nearest;
}

// The only level that all runs visited, or all but one of three or more. Null where there are
// several: choosing one of them would be a guess.
std::optional<SharedSide> visited_by_all(std::span<const MeasuredRun> runs) {
  SharedSide best;
  std::size_t most = 0, rivals = 0;
  for (const MeasuredRun& from : runs) {
    for (const RunLevel& level : from.levels) {
      // A drift has no levels; its ends are those of a slope.
      if (level.kind == LevelKind::kDrift) return std::nullopt;
      SharedLevel shared;
      for (const MeasuredRun& run : runs) {
        const RunLevel* at = level_at(run, log_of(level), kNearLevel);
        shared.runs.push_back(at == nullptr ? FigureOfRun() : figure_at(*at));
      }
      finish(shared);
      if (shared.run_count < most) continue;
      const bool is_known = !best.levels.empty() && std::abs(best.levels.front().mean.center -
                                                             shared.mean.center) <= kNearLevel;
      if (shared.run_count == most && is_known) continue;
      rivals = shared.run_count > most ? 0 : rivals + 1;
      most = shared.run_count;
      best.levels.assign(1, std::move(shared));
    }
  }
  const std::size_t wanted = runs.size() < 3 ? runs.size() : runs.size() - 1;
  if (most < wanted || rivals > 0) return std::nullopt;
  return best;
}

// The level of one side may be one that the other side also visited, but in fewer of its runs: then
// the two are not known to be the same.
bool is_visited(std::span<const MeasuredRun> runs, double place) {
  return std::ranges::any_of(
      runs, [&](const MeasuredRun& run) { return level_at(run, place, kSameLevel) != nullptr; });
}

bool has_levels(std::span<const MeasuredRun> runs) {
  return std::ranges::any_of(runs, [](const MeasuredRun& run) { return run.levels.size() > 1; });
}

}  // namespace

Figure figure_of(double center_ms, double low_ms, double high_ms) {
  const double center = std::log(center_ms);
  return {
      .center = center, .below = center - std::log(low_ms), .above = std::log(high_ms) - center};
}

Figure mean_of(std::span<const Figure> figures) {
  Figure mean;
  const auto count = static_cast<double>(figures.size());
  for (const Figure& figure : figures) {
    mean.center += figure.center / count;
    mean.below += figure.below * figure.below / (count * count);
    mean.above += figure.above * figure.above / (count * count);
  }
  mean.below = std::sqrt(mean.below);
  mean.above = std::sqrt(mean.above);
  return mean;
}

std::optional<SharedLevels> find_shared_levels(std::span<const MeasuredRun> base,
                                               std::span<const MeasuredRun> candidate) {
  if (!has_levels(base) && !has_levels(candidate)) return std::nullopt;
  const auto match = [](auto of_base, auto of_candidate, bool are_modes) {
    std::optional<SharedLevels> shared;
    if (!of_base || !of_candidate || of_base->levels.size() != of_candidate->levels.size()) {
      return shared;
    }
    shared = SharedLevels{
        .base = std::move(*of_base), .candidate = std::move(*of_candidate), .are_modes = are_modes};
    return shared;
  };
  if (auto modes = match(modes_of(base), modes_of(candidate), true)) return modes;
  if (base.size() < 2 || candidate.size() < 2) return std::nullopt;
  auto levels = match(visited_by_all(base), visited_by_all(candidate), false);
  if (!levels) return std::nullopt;
  const double of_base = levels->base.levels.front().mean.center;
  const double of_candidate = levels->candidate.levels.front().mean.center;
  const bool is_ambiguous = std::abs(of_base - of_candidate) > kNearLevel &&
                            (is_visited(base, of_candidate) || is_visited(candidate, of_base));
  return is_ambiguous ? std::nullopt : levels;
}

}  // namespace planex::analyze
