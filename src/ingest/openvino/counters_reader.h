// Performance counters of `benchmark_app -report_type`, as CSV or JSON.
#ifndef PLANEX_INGEST_OPENVINO_COUNTERS_READER_H_
#define PLANEX_INGEST_OPENVINO_COUNTERS_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_counters(std::string_view head);
Result<void> read_counters(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino

#endif  // PLANEX_INGEST_OPENVINO_COUNTERS_READER_H_
