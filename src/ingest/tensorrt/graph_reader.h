// TensorRT layer information, as written by `trtexec --exportLayerInfo` and the engine inspector.
//
// Reads the objects of 8.2 to 11.x and the names-only kind, each as the engine's own document
// ({"Layers": [...], ...}), as a list of layers, as consecutive documents of one layer each (lines,
// "--- Layer 3 ---" between them), and as JSON nested as a string in JSON. Nothing is guessed: keys
// without a column are kept in `attributes` and `metadata`, unknown types and layouts stay
// unchanged.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_graph(std::string_view head);
Result<void> read_graph(const Artefact& artefact, model::ModelBuilder& builder);

// The same with other sizes for the pieces of large files.
struct PieceSizes;
Result<void> read_graph_in_pieces(const Artefact& artefact, model::ModelBuilder& builder,
                                  const PieceSizes& sizes);

}  // namespace planex::ingest::tensorrt
