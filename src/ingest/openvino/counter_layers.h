// What performance counters say of an engine: its layers, where no other file lists them, and their
// times.
#pragma once

#include "ingest/openvino/counters.h"
#include "ingest/reader.h"

namespace planex::ingest::openvino {

// Gives the layers of the model the times of the list, or makes layers of it where there are none.
void add_counter_layers(const CounterList& list, const Artefact& artefact,
                        model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
