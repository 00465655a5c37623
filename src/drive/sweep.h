// A model over a grid: each cell runs several times, in rounds, so that a drift of the machine
// affects all cells the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/driver.h"
#include "drive/sweep_files.h"
#include "drive/sweep_grid.h"

namespace planex::drive {

struct SweepRequest {
  // Applies to every cell unless its values say otherwise. output_dir is the folder of the sweep.
  ProcessRequest process;
  std::vector<GridAxis> axes;
  int repeats = 3;
  // Rerun everything, including runs that are up to date.
  bool is_fresh = false;
};

enum class RunStanding : std::uint8_t {
  kPending,
  kDone,     // with the current inputs
  kFailed,   // in an earlier sweep
  kChanged,  // done, but its inputs have changed since
};
std::string_view to_string(RunStanding standing);

struct PlannedRun {
  std::size_t cell = 0;
  int run = 1;     // from 1
  std::string id;  // CELL/RUN
  std::string inputs_json;
  RunStanding standing = RunStanding::kPending;
};

struct SweepPlan {
  SweepRequest request;
  std::vector<GridCell> cells;
  // In the order of execution: round by round, each in its own order, the same every time.
  std::vector<PlannedRun> runs;
  // Cells of an earlier sweep into the folder that are not in this grid: left alone.
  std::size_t other_cells = 0;
};

// Writes sweep.json, and checks what is there. Engines are asked for their version once.
// Errors: kUsage (a bad grid; the folder contains a sweep of another model), kNotFound (the model),
// kIo, kCancelled.
Result<SweepPlan> plan_sweep(const SweepRequest& request, const Cancellation& cancellation);

class SweepProgress : public Progress {
 public:
  // `done` of the `total` pending runs are finished.
  virtual void begin_run(const SweepPlan& plan, const PlannedRun& run, std::size_t done,
                         std::size_t total) = 0;
  // `error`: null if it succeeded.
  virtual void end_run(const PlannedRun& run, const Error* error) = 0;
};

struct SweepOutcome {
  std::size_t kept = 0, finished = 0, failed = 0;  // runs
  // A cell that failed is not retried in later rounds.
  std::size_t skipped = 0;
  std::optional<Error> first_error;
  std::vector<std::string> notes;  // from the engines, each once
};

// Runs what is not done. `only`: just these runs; empty: all.
// Errors: kUsage (no such run), kIo (can't write run.json), kCancelled; finished runs stay.
Result<SweepOutcome> run_sweep(const SweepPlan& plan, const std::vector<std::string>& only,
                               SweepProgress& progress, const Cancellation& cancellation);

// Records for each run in `only` that it failed where it was executed: the process that ran it
// can't report that any more.
// Errors: kUsage (no such run), kIo.
Result<void> record_failure(const SweepPlan& plan, const std::vector<std::string>& only,
                            const std::string& message);

}  // namespace planex::drive
