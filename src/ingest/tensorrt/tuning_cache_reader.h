// The cache of trtexec's search over build routes (--tuningCacheFile, TensorRT 11.1 and later): one
// JSON object per line, first the settings of the search, then each route with its time or its
// error. A search that was continued appends to it.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_tuning_cache(std::string_view head);
// Metadata: section "tuning" and a section "tuning iteration N" for each route. Errors: kBadInput.
Result<void> read_tuning_cache(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
