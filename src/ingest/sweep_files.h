// sweep.json and run.json: the grid that a model was built over, and how each run ended. Format:
// docs/reference/sweep-files.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "planex/error.h"

namespace planex::ingest {

// planex.sweep-plan/1.
struct SweepFile {
  struct Axis {
    std::string name;
    std::vector<std::string> values;
  };
  struct Cell {
    std::string id;
    std::vector<std::string> values;  // one per axis
  };
  std::string model;
  std::int64_t repeats = 1;
  std::vector<Axis> axes;
  std::vector<Cell> cells;
};

// planex.sweep-run/1.
struct SweepRunFile {
  std::string cell;
  std::int64_t run = 1;
  bool is_done = false;
  std::string engine;  // the file to open, beside it; empty: the run failed
  std::optional<Error> error;
};

// Errors: kBadInput with file and pointer, kUnsupported (a later version).
// Cost: O(size).
Result<SweepFile> read_sweep(const Artefact& artefact);
Result<SweepRunFile> read_sweep_run(const Artefact& artefact);

// Whether a file begins like a run.json.
Confidence sniff_sweep_run(std::string_view head);

}  // namespace planex::ingest
