// One run is one unit: its part of a log, its profile, its times and its batch. Scripts append what
// each run writes to one file of each kind; this says which documents are of the run that is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ingest/reader.h"

namespace planex::ingest {

// A profile or a times file, and what is taken of it.
struct UnitFile {
  Part part = Part::kTimes;
  std::vector<RunDocument> documents;  // at least one

  // Set by pair_documents(). Null: which of them is of the run can't be told, or none is.
  std::optional<std::size_t> document = 0;
  // Where it is not plain: how it was found, or why it is left out.
  std::string reason;
};

// `runs` of the log that is read with them; empty: there is none. `asked` counts from 1.
// Errors: kUsage where `asked` is beyond what the files have.
Result<void> pair_documents(const MeasuredRuns& runs, std::optional<std::int64_t> asked,
                            std::span<UnitFile> files);

}  // namespace planex::ingest
