// The machine while an engine was run, as planex's sampler writes it:
// docs/reference/machine-file.md.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_machine(std::string_view head);
Result<void> read_machine(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files
