// TensorRT layer information: what `trtexec --exportLayerInfo` and the engine inspector write.
//
// Reads the object kind of 8.2 to 10.x and the names-only kind. Nothing is guessed: keys that have
// no column survive in `attributes`, types and layouts that are not known stay as written.
#ifndef PLANEX_INGEST_TENSORRT_GRAPH_READER_H_
#define PLANEX_INGEST_TENSORRT_GRAPH_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_graph(std::string_view head);
Result<void> read_graph(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_GRAPH_READER_H_
