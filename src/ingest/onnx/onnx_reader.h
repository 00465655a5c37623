// The source model of an engine, in ONNX.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::onnx {

Confidence sniff_model(std::string_view head);
Result<void> read_model(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::onnx
