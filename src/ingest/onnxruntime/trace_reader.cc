#include "ingest/onnxruntime/trace_reader.h"

namespace planex::ingest::onnxruntime {

Confidence sniff_trace(std::string_view) { return Confidence::kNo; }

Result<void> read_trace(const Artefact& artefact, model::ModelBuilder&) {
  return fail({.code = ErrorCode::kUnsupported, .message = "not read yet", .file = artefact.path});
}

}  // namespace planex::ingest::onnxruntime
