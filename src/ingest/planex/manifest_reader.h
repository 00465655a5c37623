// manifest.json: how planex's drivers made the files beside it, with commands, machine and
// checksums. All of it becomes rows of `metadata`.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_manifest(std::string_view head);
Result<void> read_manifest(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files
