// What TREx, the predecessor, wrote beside an engine: build options, device, performance summary.
#ifndef PLANEX_INGEST_TENSORRT_METADATA_READER_H_
#define PLANEX_INGEST_TENSORRT_METADATA_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

// {"model_options": {...}, ...} and the older list of devices [{"Name": ..., ...}].
Confidence sniff_metadata(std::string_view head);
Result<void> read_metadata(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_METADATA_READER_H_
