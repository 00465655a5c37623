// Which of many candidates are worth a race against the best so far: successive halving.
//
// Each candidate is run beside the best, and the worse half goes; those that stay are run again,
// until few are left. Nothing is proven here: a candidate that is left has to win its race
// (race.h), whose fresh runs alone count. So what happens here can lose a gain, but not invent one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace planex::analyze {

// Fewer are raced one by one: their tournament would take as long.
inline constexpr std::size_t kTournamentFrom = 6;
// As many are raced, unless more are clearly faster.
inline constexpr std::size_t kFinalists = 4;
// Candidates between two runs of the best, so that each stands next to one.
inline constexpr std::size_t kBlockCandidates = 2;

// Natural logarithms of a candidate's time over that of the best beside it, one per run. Empty: it
// has not been run, or gave no time.
using PairedLogs = std::vector<double>;

// Of a candidate that ran between two runs of the best, at this share of the way: a steady drift of
// the clock between them counts for both alike. Null: a time is missing.
std::optional<double> paired_log(std::optional<double> before_ms, std::optional<double> after_ms,
                                 double share, std::optional<double> candidate_ms);

// Standard deviation of one paired log where nothing differs, by the first runs of all candidates:
// most change nothing, so the middle half of them shows it. Null: fewer than kTournamentFrom.
std::optional<double> paired_noise(std::span<const PairedLogs> candidates);

std::optional<double> mean_change_ratio(const PairedLogs& logs);

// Runs that each candidate gets in this round, from 0 on.
std::size_t round_runs(std::size_t round);

// Who stays after a round, the fastest first. The better half of `in`, and those of the worse half
// that are faster beyond the noise, because many may be; without those that are slower beyond it.
// `in`: places in `candidates`. Cost: O(n log n).
std::vector<std::size_t> better_half(std::span<const PairedLogs> candidates,
                                     std::span<const std::size_t> in);

// Who of the last is worth a race: all that seem faster at all.
std::vector<std::size_t> worth_a_race(std::span<const PairedLogs> candidates,
                                      std::span<const std::size_t> in);

}  // namespace planex::analyze
