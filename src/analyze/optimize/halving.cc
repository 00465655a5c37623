#include "analyze/optimize/halving.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyze/timing/level_shifts.h"

namespace planex::analyze {
namespace {

// Beyond the noise: two standard errors. A mistake costs a race or a gain, never a false claim.
constexpr double kClearly = 2;

double mean_of_logs(const PairedLogs& logs) {
  return std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size());
}

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Those that have a time, the fastest first; equal ones in their order.
std::vector<std::size_t> by_speed(std::span<const PairedLogs> candidates,
                                  std::span<const std::size_t> in) {
  std::vector<std::size_t> places;
  std::ranges::copy_if(in, std::back_inserter(places),
                       [&](std::size_t place) { return !candidates[place].empty(); });
  std::ranges::stable_sort(places, {},
                           [&](std::size_t place) { return mean_of_logs(candidates[place]); });
  return places;
}

}  // namespace

std::optional<double> paired_log(std::optional<double> before_ms, std::optional<double> after_ms,
                                 double share, std::optional<double> candidate_ms) {
  const auto is_time = [](const std::optional<double>& ms) { return ms && *ms > 0; };
  if (!is_time(before_ms) || !is_time(after_ms) || !is_time(candidate_ms)) return std::nullopt;
  const double best = (1 - share) * std::log(*before_ms) + share * std::log(*after_ms);
  return std::log(*candidate_ms) - best;
}

std::optional<double> paired_noise(std::span<const PairedLogs> candidates) {
  std::vector<double> first;
  for (const PairedLogs& logs : candidates) {
    if (!logs.empty()) first.push_back(logs.front());
  }
  if (first.size() < kTournamentFrom) return std::nullopt;
  const double middle = middle_of(first);
  for (double& log : first) log = std::abs(log - middle);
  return kMadToSigma * middle_of(std::move(first));
}

std::optional<double> mean_change_ratio(const PairedLogs& logs) {
  if (logs.empty()) return std::nullopt;
  return std::expm1(mean_of_logs(logs));
}

// Twice as many for half as many candidates would make each round as long as the first. Two are
// enough to tell a gain of a few per cent from the noise of runs; the race does the rest.
std::size_t round_runs(std::size_t round) { return round < 2 ? 1 : 2; }

std::vector<std::size_t> better_half(std::span<const PairedLogs> candidates,
                                     std::span<const std::size_t> in) {
  const std::vector<std::size_t> places = by_speed(candidates, in);
  const std::optional<double> noise = paired_noise(candidates);
  const auto limit = [&](std::size_t place) {
    return kClearly * *noise / std::sqrt(static_cast<double>(candidates[place].size()));
  };
  std::vector<std::size_t> stay;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const std::size_t place = places[rank];
    const double mean = mean_of_logs(candidates[place]);
    if (noise && mean > limit(place)) break;
    if (rank < (places.size() + 1) / 2 || (noise && mean < -limit(place))) stay.push_back(place);
  }
  return stay;
}

std::vector<std::size_t> worth_a_race(std::span<const PairedLogs> candidates,
                                      std::span<const std::size_t> in) {
  std::vector<std::size_t> places = by_speed(candidates, in);
  std::erase_if(places, [&](std::size_t place) { return mean_of_logs(candidates[place]) >= 0; });
  return places;
}

}  // namespace planex::analyze
