// One run is one unit: its part of a log, its profile, its times and its batch. Scripts append each
// run's output to one file per kind; this finds the documents that belong to the run that is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ingest/reader.h"

namespace planex::ingest {

// A profile or a times file, and which part of it is used.
struct UnitFile {
  Part part = Part::kTimes;
  std::vector<RunDocument> documents;  // at least one

  // Set by pair_documents(). Null: it is unclear which one belongs to the run, or none does.
  std::optional<std::size_t> document = 0;
  // If not obvious: how it was found, or why it is left out.
  std::string reason;
};

// `runs` of the log that is read with them; empty: there is none. `asked` counts from 1.
// Errors: kUsage if `asked` is more than the files have.
Result<void> pair_documents(const MeasuredRuns& runs, std::optional<std::int64_t> asked,
                            std::span<UnitFile> files);

}  // namespace planex::ingest
