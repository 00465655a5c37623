// Per-layer times written by planex-openvino: docs/reference/openvino-artefacts.md.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_profile(std::string_view head);
Result<void> read_profile(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
