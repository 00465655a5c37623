// Pictures of where in a tensor the differences lie, of the tensors that lose most.
#pragma once

#include "planex/error.h"
#include "tune/comparison.h"

namespace planex::tune {

// Of the first sample: of so many tensors as the request asks for, those that lose most first. An
// engine's map is only there where looking at this one tensor leaves its outputs bit for bit the
// same. After the layers were compared. Errors: those of running the models.
// Cost: a compilation for each tensor, and two runs of one sample.
Result<void> draw_maps(Comparison& comparison);

}  // namespace planex::tune
