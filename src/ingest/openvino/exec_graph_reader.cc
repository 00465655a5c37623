#include "ingest/openvino/exec_graph_reader.h"

namespace planex::ingest::openvino {

Confidence sniff_exec_graph(std::string_view) { return Confidence::kNo; }

Result<void> read_exec_graph(const Artefact& artefact, model::ModelBuilder&) {
  return fail({.code = ErrorCode::kUnsupported, .message = "not read yet", .file = artefact.path});
}

}  // namespace planex::ingest::openvino
