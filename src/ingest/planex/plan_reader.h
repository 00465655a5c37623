// A neutral description of an engine that any tool can write: planex.plan/1.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_plan(std::string_view head);
Result<void> read_plan(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files
