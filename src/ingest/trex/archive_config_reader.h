// What a TREx archive says about its engine: build_cfg.json and plan_cfg.json.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::trex {

Confidence sniff_archive_config(std::string_view head);
Result<void> read_archive_config(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::trex
