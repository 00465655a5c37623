// planex.search/1, the record of `planex search`: front, the layers that its points keep in float,
// outputs, and facts in `metadata`, section "search".
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_search(std::string_view head);
Result<void> read_search(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files
