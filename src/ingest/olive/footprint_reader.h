// The footprint of a search by Microsoft Olive (footprint.json; before 0.10 footprints.json): one
// object per model, with the pass that made it, the settings of the pass and the metrics.
//
// Olive 0.3 to 0.13 write the same fields, but for one that changed its name in 0.12: what was
// model_config is model_config_data there. Files that lack one of these are refused: those of 0.2
// have no times of passes.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::olive {

Confidence sniff_footprint(std::string_view head);
// Metadata: section "olive", a section "olive metric NAME" for each metric, and a section "olive
// candidate N" for each model in the order in which they were made, the input model first. Errors:
// kBadInput; kUnsupported (an Olive before 0.3, or one that is not known).
Result<void> read_footprint(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::olive
