// Samples of each layer, as Python profilers write them: {"layer name": [ms, ms, ...], ...}.
#ifndef PLANEX_INGEST_TENSORRT_SAMPLES_READER_H_
#define PLANEX_INGEST_TENSORRT_SAMPLES_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_samples(std::string_view head);
Result<void> read_samples(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_SAMPLES_READER_H_
