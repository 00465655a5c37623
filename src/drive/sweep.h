// A model over a grid: each cell several times, in rounds, so that what drifts on the machine falls
// on all cells alike.
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
  // Of every cell, where its values don't say otherwise. output_dir is the folder of the sweep.
  ProcessRequest process;
  std::vector<GridAxis> axes;
  int repeats = 3;
  // Runs all anew, also those that are up to date.
  bool is_fresh = false;
};

enum class RunStanding : std::uint8_t {
  kPending,
  kDone,     // with the inputs of now
  kFailed,   // in an earlier sweep
  kChanged,  // done, but its inputs changed since
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
  // In the order to be done: round by round, each in an order of its own, the same every time.
  std::vector<PlannedRun> runs;
  // Cells of an earlier sweep into the folder that are not of this grid: left alone.
  std::size_t other_cells = 0;
};

// Writes sweep.json, and looks at what is there. Engines are asked for their version once.
// Errors: kUsage (a bad grid; the folder holds a sweep of another model), kNotFound (the model),
//         kIo, kCancelled.
Result<SweepPlan> plan_sweep(const SweepRequest& request, const Cancellation& cancellation);

class SweepProgress : public Progress {
 public:
  // `done` of `total` runs that were to do are finished.
  virtual void begin_run(const SweepPlan& plan, const PlannedRun& run, std::size_t done,
                         std::size_t total) = 0;
  // `error`: null where it went well.
  virtual void end_run(const PlannedRun& run, const Error* error) = 0;
};

struct SweepOutcome {
  std::size_t kept = 0, finished = 0, failed = 0;  // runs
  // A cell that failed is not tried again in later rounds.
  std::size_t skipped = 0;
  std::optional<Error> first_error;
  std::vector<std::string> notes;  // of the engines, each once
};

// Does what is not done. `only`: of these runs; empty: of all.
// Errors: kUsage (no such run), kIo (no place for run.json), kCancelled; what is finished stays.
Result<SweepOutcome> run_sweep(const SweepPlan& plan, const std::vector<std::string>& only,
                               SweepProgress& progress, const Cancellation& cancellation);

// Keeps of each run in `only` that it failed where it was done: who did it can't say so any more.
// Errors: kUsage (no such run), kIo.
Result<void> record_failure(const SweepPlan& plan, const std::vector<std::string>& only,
                            const std::string& message);

}  // namespace planex::drive
