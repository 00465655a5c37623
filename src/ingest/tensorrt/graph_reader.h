// TensorRT layer information: what `trtexec --exportLayerInfo` and the engine inspector write.
//
// Reads the objects of 8.2 to 11.x and the names-only kind, each as the engine's own document
// ({"Layers": [...], ...}), as a list of layers, as documents of one layer each that follow one
// another (lines, "--- Layer 3 ---" between them), and as JSON that was made a JSON text once more.
// Nothing is guessed: keys that have no column survive in `attributes` and `metadata`, types and
// layouts that are not known stay as written.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

Confidence sniff_graph(std::string_view head);
Result<void> read_graph(const Artefact& artefact, model::ModelBuilder& builder);

// The same with other sizes of the pieces that large files are read in.
struct PieceSizes;
Result<void> read_graph_in_pieces(const Artefact& artefact, model::ModelBuilder& builder,
                                  const PieceSizes& sizes);

}  // namespace planex::ingest::tensorrt
