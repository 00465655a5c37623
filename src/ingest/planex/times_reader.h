// Times of inferences, as written by planex's own drivers: docs/reference/openvino-artefacts.md.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_times(std::string_view head);
Result<void> read_times(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files
