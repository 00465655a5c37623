// Samples of each layer, in the format of Python profilers: {"layer name": [ms, ms, ...], ...}.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_samples(std::string_view head);
Result<void> read_samples(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
