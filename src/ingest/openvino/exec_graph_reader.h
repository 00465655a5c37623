// The execution graph as XML: `benchmark_app -exec_graph_path`.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_exec_graph(std::string_view head);
Result<void> read_exec_graph(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
