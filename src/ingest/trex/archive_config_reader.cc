#include "ingest/trex/archive_config_reader.h"

namespace planex::ingest::trex {

Confidence sniff_archive_config(std::string_view) { return Confidence::kNo; }

Result<void> read_archive_config(const Artefact& artefact, model::ModelBuilder&) {
  return fail({.code = ErrorCode::kUnsupported, .message = "not read yet", .file = artefact.path});
}

}  // namespace planex::ingest::trex
