// ONNX Runtime's session log: which provider runs which node, and why.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::onnxruntime {

Confidence sniff_placement_log(std::string_view head);
// Of several sessions, the one whose nodes are the layers; without layers, the largest one. Then
// its nodes become the layers, in the order of the log.
Result<void> read_placement_log(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::onnxruntime
