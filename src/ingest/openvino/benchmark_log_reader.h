// The log of `benchmark_app`.
#ifndef PLANEX_INGEST_OPENVINO_BENCHMARK_LOG_READER_H_
#define PLANEX_INGEST_OPENVINO_BENCHMARK_LOG_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_benchmark_log(std::string_view head);
Result<void> read_benchmark_log(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino

#endif  // PLANEX_INGEST_OPENVINO_BENCHMARK_LOG_READER_H_
