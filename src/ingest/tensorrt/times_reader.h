// `trtexec --exportTimes`: one object per inference, all fields in milliseconds.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_times(std::string_view head);
Result<void> read_times(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
