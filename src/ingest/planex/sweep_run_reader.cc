#include "ingest/planex/sweep_run_reader.h"

#include "base/text.h"
#include "base/try.h"
#include "ingest/sweep_files.h"

namespace planex::ingest::planex_files {

Confidence sniff_run(std::string_view head) { return sniff_sweep_run(head); }

Result<void> read_run(const Artefact& artefact, model::ModelBuilder& builder) {
  PLANEX_ASSIGN(const SweepRunFile run, read_sweep_run(artefact));
  builder.add_metadata("sweep", "cell", run.cell, artefact.path);
  builder.add_metadata("sweep", "run", base::format("{}", run.run), artefact.path);
  builder.model().files.record_count.set(artefact.file_row, 1);
  return {};
}

}  // namespace planex::ingest::planex_files
