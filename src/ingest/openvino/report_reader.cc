#include "ingest/openvino/report_reader.h"

namespace planex::ingest::openvino {

Confidence sniff_report(std::string_view) { return Confidence::kNo; }

Result<void> read_report(const Artefact& artefact, model::ModelBuilder&) {
  return fail({.code = ErrorCode::kUnsupported, .message = "not read yet", .file = artefact.path});
}

}  // namespace planex::ingest::openvino
