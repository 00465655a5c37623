// The search of `planex optimize`: one proposal after another is tried on the best so far, and kept
// if it is proven faster and its results are close enough.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyze/optimize/outcome.h"
#include "drive/cancellation.h"
#include "jobs/optimize/recipe.h"
#include "planex/error.h"
#include "quantize/front.h"

namespace planex::jobs {

// Results that count as the same: far below what float32 sums lose by their order.
inline constexpr double kSameDb = 80;

// From here on, options of the engine are not tried: what they could gain is less than what its
// runs differ by.
inline constexpr double kAtLimitRatio = 0.97;

struct SearchTask {
  Recipe start;
  // Of an earlier search that this one continues: what it decided is not tried again.
  std::vector<analyze::OptimizeStep> decided;
  std::optional<Recipe> earlier_best;
  double earlier_seconds = 0;
  std::vector<Proposal> proposals;  // in the order to try them
  // Null: results must stay the same (kSameDb).
  std::optional<quantize::Goal> goal;
  std::chrono::duration<double> budget{600};
  analyze::Aim aim = analyze::Aim::kLatency;
  // An inference may not take longer.
  std::optional<double> max_latency_ms;
  // For proposals' files.
  std::string folder;
  // Seconds since the start; replaced in tests.
  std::function<double()> clock;
  // Called when a proposal begins, and after each of its runs.
  std::function<void(const std::string& what, double done)> progress;
  // Called whenever there is more to record: a stop loses nothing that was decided.
  std::function<Result<void>(const analyze::OptimizeOutcome&, const Recipe& best)> record;
};

// Fills what the search knows of the outcome: steps, kept, times, change. A failing proposal is a
// step that failed. `judge` may be null: then proposals that change the model are not tried.
// Errors: those of measuring the start, and of `record`; kCancelled, after recording.
Result<Recipe> search(const SearchTask& task, Bench& bench, Judge* judge,
                      const drive::Cancellation& cancellation, analyze::OptimizeOutcome& outcome);

}  // namespace planex::jobs
