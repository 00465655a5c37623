// The state of the machine while an engine ran, as written by planex's sampler:
// docs/reference/machine-file.md.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_machine(std::string_view head);
Result<void> read_machine(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files
