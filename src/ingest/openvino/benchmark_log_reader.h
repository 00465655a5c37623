// The log of `benchmark_app`, complete or a pasted excerpt.
//
// With -pc it contains a table of the layers, so it can represent an engine, like files of
// counters.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::openvino {

Confidence sniff_benchmark_log(std::string_view head);
// The same for a log with a table of layers, or for just such a table.
Confidence sniff_counters_log(std::string_view head);
Result<void> read_benchmark_log(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
