// What is said of the run that is shown, where one log is of several.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ingest/reader.h"
#include "planex/error.h"

namespace planex::ingest {

struct ShownRun {
  std::size_t count = 0, shown = 0;  // `shown` counts from 0
  std::size_t first_line = 1, begin = 0;
  std::string with;      // ", with the engine that line 7 built"
  std::string_view why;  // where nobody asked for it; empty: it has most details, and is the last
};

// The diagnostic `several-runs`.
void report_shown_run(const ShownRun& run, const Artefact& artefact, model::ModelBuilder& builder);

// The user asked for a run that is not there. `count` is at least 1.
Error no_such_run(std::size_t count, const Artefact& artefact);

}  // namespace planex::ingest
