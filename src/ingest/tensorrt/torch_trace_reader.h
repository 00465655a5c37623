// Times of layers that Torch-TensorRT writes for Perfetto: enable_profiling(…, "perfetto").
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_torch_trace(std::string_view head);
// One slice per layer, as long as its total time over all profiled inferences. The file does not
// record their number, so there are sums and shares, but no time per inference.
Result<void> read_torch_trace(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
