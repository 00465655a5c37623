// What `polygraphy inspect model ENGINE` prints for a TensorRT engine.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::polygraphy {

Confidence sniff_engine_text(std::string_view head);
// Errors: kBadInput (not such a text), kUnsupported (about a model or a network, not an engine).
Result<void> read_engine_text(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::polygraphy
