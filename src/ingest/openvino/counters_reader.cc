#include "ingest/openvino/counters_reader.h"

namespace planex::ingest::openvino {

Confidence sniff_counters(std::string_view) { return Confidence::kNo; }

Result<void> read_counters(const Artefact& artefact, model::ModelBuilder&) {
  return fail({.code = ErrorCode::kUnsupported, .message = "not read yet", .file = artefact.path});
}

}  // namespace planex::ingest::openvino
