#include "ingest/onnx/onnx_reader.h"

namespace planex::ingest::onnx {

Confidence sniff_model(std::string_view) { return Confidence::kNo; }

Result<void> read_model(const Artefact& artefact, model::ModelBuilder&) {
  return fail({.code = ErrorCode::kUnsupported, .message = "not read yet", .file = artefact.path});
}

}  // namespace planex::ingest::onnx
