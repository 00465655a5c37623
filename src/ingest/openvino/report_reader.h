// The report of `benchmark_app`: options, device and latencies, as CSV or JSON.
#ifndef PLANEX_INGEST_OPENVINO_REPORT_READER_H_
#define PLANEX_INGEST_OPENVINO_REPORT_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_report(std::string_view head);
Result<void> read_report(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino

#endif  // PLANEX_INGEST_OPENVINO_REPORT_READER_H_
