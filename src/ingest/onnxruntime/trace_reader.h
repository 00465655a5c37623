// ONNX Runtime's profile: one event per run of a node.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::onnxruntime {

Confidence sniff_trace(std::string_view head);
Result<void> read_trace(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::onnxruntime
