// The log of `benchmark_app`, whole or what people paste of it.
//
// With -pc it has a table of the layers, so that it stands for an engine as files of counters do.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_benchmark_log(std::string_view head);
// The same for one with a table of layers, or for such a table alone.
Confidence sniff_counters_log(std::string_view head);
Result<void> read_benchmark_log(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
