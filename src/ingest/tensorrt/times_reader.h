// `trtexec --exportTimes`: one object per inference, all fields in milliseconds.
#ifndef PLANEX_INGEST_TENSORRT_TIMES_READER_H_
#define PLANEX_INGEST_TENSORRT_TIMES_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_times(std::string_view head);
Result<void> read_times(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_TIMES_READER_H_
