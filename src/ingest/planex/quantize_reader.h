// planex.quantize/1, the record of `planex quantize`: calibration, outputs, and facts in
// `metadata`, section "quantize".
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_quantize(std::string_view head);
Result<void> read_quantize(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files
