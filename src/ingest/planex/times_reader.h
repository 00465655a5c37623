// Times of inferences, as planex's own drivers write them: docs/reference/openvino-artefacts.md.
#ifndef PLANEX_INGEST_PLANEX_TIMES_READER_H_
#define PLANEX_INGEST_PLANEX_TIMES_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_times(std::string_view head);
Result<void> read_times(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files

#endif  // PLANEX_INGEST_PLANEX_TIMES_READER_H_
