// Per-layer times: `trtexec --exportProfile`, with and without medians.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_profile(std::string_view head);
Result<void> read_profile(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
