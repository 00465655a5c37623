// The compiled model that planex-openvino writes: docs/reference/openvino-artefacts.md.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_graph(std::string_view head);
Result<void> read_graph(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
