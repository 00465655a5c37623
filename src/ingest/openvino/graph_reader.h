// The compiled model that planex-openvino writes: docs/reference/openvino-artefacts.md.
//
// Weights are counted where they are read: a constant that a layer weighs has no weight of its own,
// so that each layer's figures and the engine's sum are both right. Constant inputs are ports, but
// not part of input_bytes.
#ifndef PLANEX_INGEST_OPENVINO_GRAPH_READER_H_
#define PLANEX_INGEST_OPENVINO_GRAPH_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_graph(std::string_view head);
Result<void> read_graph(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino

#endif  // PLANEX_INGEST_OPENVINO_GRAPH_READER_H_
