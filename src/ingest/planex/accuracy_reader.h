// planex.layer-accuracy/1, what `planex accuracy` writes of two models: accuracy, outputs, and
// facts in `metadata`, section "accuracy".
#ifndef PLANEX_INGEST_PLANEX_ACCURACY_READER_H_
#define PLANEX_INGEST_PLANEX_ACCURACY_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::planex_files {

Confidence sniff_accuracy(std::string_view head);
Result<void> read_accuracy(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::planex_files

#endif  // PLANEX_INGEST_PLANEX_ACCURACY_READER_H_
