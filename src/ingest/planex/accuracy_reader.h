// planex.layer-accuracy/1, written by `planex accuracy` for two models: accuracy, outputs, and
// facts in `metadata`, section "accuracy".
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_accuracy(std::string_view head);
Result<void> read_accuracy(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files
