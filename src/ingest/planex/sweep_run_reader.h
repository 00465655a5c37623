// run.json, which run of which cell of a sweep an engine comes from: rows of `metadata`.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_run(std::string_view head);
Result<void> read_run(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files
