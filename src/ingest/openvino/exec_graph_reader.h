// The execution graph as XML: `benchmark_app -exec_graph_path`.
#ifndef PLANEX_INGEST_OPENVINO_EXEC_GRAPH_READER_H_
#define PLANEX_INGEST_OPENVINO_EXEC_GRAPH_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_exec_graph(std::string_view head);
Result<void> read_exec_graph(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino

#endif  // PLANEX_INGEST_OPENVINO_EXEC_GRAPH_READER_H_
