// The neutral description of an engine that any tool can write: planex.plan/1.
#ifndef PLANEX_INGEST_PLANEX_PLAN_READER_H_
#define PLANEX_INGEST_PLANEX_PLAN_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_plan(std::string_view head);
Result<void> read_plan(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files

#endif  // PLANEX_INGEST_PLANEX_PLAN_READER_H_
