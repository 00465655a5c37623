// What `polygraphy inspect model ENGINE` prints of a TensorRT engine.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::polygraphy {

Confidence sniff_engine_text(std::string_view head);
// Errors: kBadInput (no such text), kUnsupported (of a model or a network, not of an engine).
Result<void> read_engine_text(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::polygraphy
