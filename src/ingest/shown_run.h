// Messages about the run that is shown, if a log contains several.
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
  std::string_view why;  // if nobody requested it; empty: it has the most details, and is the last
};

// The diagnostic `several-runs`.
void report_shown_run(const ShownRun& run, const Artefact& artefact, model::ModelBuilder& builder);

// The user requested a run that does not exist. `count` is at least 1.
Error no_such_run(std::size_t count, const Artefact& artefact);

}  // namespace planex::ingest
