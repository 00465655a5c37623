// Taps tensors of a compiled engine, and proves that tapping did not change it.
#pragma once

#include "planex/error.h"
#include "tune/comparison.h"

namespace planex::tune {

// Fills the engine's part of comparison.result(): its outputs, and for each layer the tensor that
// could be seen. Tensors are tapped in groups; a group is valid when the engine's own outputs are
// bit for bit those of the untapped engine, else it is halved. A tensor that disturbs the engine
// alone is replaced by the next one on its path, at most three times: the output of the DQ of its
// pair, or the last of the nodes that read it, where all compute value by value. Errors: those of
// drive::infer(). Cost: compilations, counted in result().compile_count.
Result<void> look_into_engine(Comparison& comparison);

}  // namespace planex::tune
