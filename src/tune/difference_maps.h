// Pictures of where in a tensor the differences are, for the tensors that lose most.
#pragma once

#include "planex/error.h"
#include "tune/comparison.h"

namespace planex::tune {

// For the first sample: as many tensors as the request asks for, those that lose most first. An
// engine's map exists only where tapping this one tensor leaves the engine's outputs bit for bit
// the same. Call after the layers were compared. Errors: those of running the models. Cost: one
// compilation per tensor, and two runs of one sample.
Result<void> draw_maps(Comparison& comparison);

}  // namespace planex::tune
