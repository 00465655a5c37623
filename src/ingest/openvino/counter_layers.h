// What performance counters say about an engine: its layers, if no other file lists them, and their
// times.
#pragma once

#include "ingest/openvino/counters.h"
#include "ingest/reader.h"

namespace planex::ingest::openvino {

// Gives the times of the list to the layers of the model, or makes layers from it if there are
// none.
void add_counter_layers(const CounterList& list, const Artefact& artefact,
                        model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
