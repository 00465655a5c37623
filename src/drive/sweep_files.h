// The files of a sweep beside those of its runs. Format: docs/reference/sweep-files.md.
//
//   DIR/sweep.json           what was asked for: model, axes, cells
//   DIR/cells/CELL/R/        run R of a cell, from 1: what process() writes
//   DIR/cells/CELL/R/run.json  how it ended, and what went into it
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drive/sweep_grid.h"
#include "planex/error.h"

namespace planex::drive {

inline constexpr std::string_view kSweepFile = "sweep.json";
inline constexpr std::string_view kRunFile = "run.json";

// DIR/cells/CELL/R.
std::string run_folder(std::string_view folder, std::string_view cell, int run);

std::string sweep_json(const ProcessRequest& base, std::span<const GridAxis> axes,
                       std::span<const GridCell> cells, int repeats);

struct RunRecord {
  std::string cell;
  int run = 1;
  // Everything that could make a difference; its hash says whether a run is up to date.
  std::string inputs_json;
  std::string engine;  // the file to open, in the run's folder; empty: the run failed
  std::optional<Error> error;
};
std::string run_json(const RunRecord& record);

// The part of a run.json that resuming needs.
struct RunState {
  bool is_done = false;
  std::string inputs_sha256;
};
// Null if the text is not a run.json.
std::optional<RunState> run_state(std::string_view json);

// The model of a sweep.json; empty if the text is not one.
std::string model_in_sweep(std::string_view json);

}  // namespace planex::drive
