// Per-layer times: `trtexec --exportProfile`, with and without medians.
#ifndef PLANEX_INGEST_TENSORRT_PROFILE_READER_H_
#define PLANEX_INGEST_TENSORRT_PROFILE_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_profile(std::string_view head);
Result<void> read_profile(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_PROFILE_READER_H_
