// Looking at tensors of a compiled engine, with proof that looking did not change it.
#pragma once

#include "planex/error.h"
#include "tune/comparison.h"

namespace planex::tune {

// Fills what comparison.result() has of the engine: its outputs, and of each layer the tensor that
// could be seen. Tensors are looked at in groups; a group stands when the engine's own outputs are
// bit for bit those of the engine that nobody looks into, else it is halved. A tensor that disturbs
// alone is given up for the next one on its way, at most three times: what the DQ of its pair
// writes, or the last of the nodes that read it, where all compute value by value. Errors: those of
// drive::infer(). Cost: compilations, counted in result().compile_count.
Result<void> look_into_engine(Comparison& comparison);

}  // namespace planex::tune
