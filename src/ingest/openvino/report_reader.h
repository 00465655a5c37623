// The report of `benchmark_app`: options, device and latencies, as CSV or JSON.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_report(std::string_view head);
Result<void> read_report(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
