// Many proposals of one kind, such as the 200 knobs of TensorRT's compiler: which of them are worth
// a race. In turns with the best so far, by successive halving (analyze/optimize/halving.h).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analyze/optimize/outcome.h"
#include "jobs/optimize/recipe.h"
#include "planex/error.h"

namespace planex::jobs {

struct TournamentTask {
  // They leave the model as it is: nothing is judged here.
  std::span<const Proposal> proposals;
  const Recipe& best;
  // For proposals' files.
  std::string folder;
  // Builds and measures once. Errors: those of the engine; kCancelled ends the tournament.
  std::function<Result<Measured>(const Recipe&)> measure;
  // Whether there is time for as many runs, and a race after them.
  std::function<bool(std::size_t run_count)> has_time;
  std::function<double()> seconds;
  // Called before each run of a proposal; `done` of this round.
  std::function<void(const std::string& what, double done)> progress;
};

struct TournamentResult {
  // To be raced, the most promising first: places in the proposals.
  std::vector<std::size_t> finalists;
  // The others: dropped, unchanged, failed or not tried. In the order of the proposals.
  std::vector<analyze::OptimizeStep> steps;
  std::size_t run_count = 0;
};

// Errors: kCancelled; that of the best, if it fails twice in a row.
Result<TournamentResult> tournament(const TournamentTask& task);

}  // namespace planex::jobs
