// What TREx, the predecessor, wrote beside an engine: build options, device, performance summary.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

// {"model_options": {...}, ...} and the older list of devices [{"Name": ..., ...}].
Confidence sniff_metadata(std::string_view head);
Result<void> read_metadata(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
