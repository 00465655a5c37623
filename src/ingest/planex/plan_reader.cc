#include "ingest/planex/plan_reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_plan(std::string_view) { return Confidence::kNo; }

Result<void> read_plan(const Artefact& artefact, model::ModelBuilder&) {
  return fail({.code = ErrorCode::kUnsupported, .message = "not read yet", .file = artefact.path});
}

}  // namespace planex::ingest::planex_files
