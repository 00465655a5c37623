// Performance counters of `benchmark_app -report_type`, as CSV or JSON.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_counters(std::string_view head);
Result<void> read_counters(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
