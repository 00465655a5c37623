// Per-layer times that planex-openvino writes: docs/reference/openvino-artefacts.md.
#ifndef PLANEX_INGEST_OPENVINO_PROFILE_READER_H_
#define PLANEX_INGEST_OPENVINO_PROFILE_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_profile(std::string_view head);
Result<void> read_profile(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino

#endif  // PLANEX_INGEST_OPENVINO_PROFILE_READER_H_
