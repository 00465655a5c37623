// Times of layers as Torch-TensorRT writes them for Perfetto: enable_profiling(…, "perfetto").
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_torch_trace(std::string_view head);
// One slice a layer, as long as all inferences that were profiled took in it; how many those were
// the file does not say, so there are sums and shares, and no time of one inference.
Result<void> read_torch_trace(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
