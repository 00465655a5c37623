// What performance counters say of an engine: its layers, where no other file lists them, and their
// times.
#ifndef PLANEX_INGEST_OPENVINO_COUNTER_LAYERS_H_
#define PLANEX_INGEST_OPENVINO_COUNTER_LAYERS_H_

#include "ingest/openvino/counters.h"
#include "ingest/reader.h"

namespace planex::ingest::openvino {

// Gives the layers of the model the times of the list, or makes layers of it where there are none.
void add_counter_layers(const CounterList& list, const Artefact& artefact,
                        model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino

#endif  // PLANEX_INGEST_OPENVINO_COUNTER_LAYERS_H_
