#include "ingest/openvino/benchmark_log_reader.h"

namespace planex::ingest::openvino {

Confidence sniff_benchmark_log(std::string_view) { return Confidence::kNo; }

Result<void> read_benchmark_log(const Artefact& artefact, model::ModelBuilder&) {
  return fail({.code = ErrorCode::kUnsupported, .message = "not read yet", .file = artefact.path});
}

}  // namespace planex::ingest::openvino
