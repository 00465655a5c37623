// The runs in a log: what each of them ran, and what it measured. They become sections "run 1",
// "run 2", ... of the metadata, which doctor lists.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_runs.h"

namespace planex::ingest::tensorrt {

// What a run reports about its inputs and its times.
struct RunFigures {
  std::string shapes;
  std::string median_ms, throughput;  // unchanged; inferences, not items of an implicit batch
};

// Cost: O(size of the run).
RunFigures figures_of(std::string_view text, const LogRun& run);

// Adds them if there is more than one choice, and reports which one is shown. `shown` is an index
// into `choices`. Cost: O(size of the log).
void add_runs(const std::vector<LogRun>& runs, const std::vector<RunChoice>& choices,
              std::size_t shown, const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
