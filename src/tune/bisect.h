// Finds the one tensor, weight or layer that loses most of what a quantized model loses.
#pragma once

#include "planex/error.h"
#include "tune/comparison.h"

namespace planex::tune {

// Fills result().bisection, in the model's own arithmetic:
// 1. One run of the float model gives a histogram of each tensor that has a pair. A scale with
// which
//    the histogram keeps much less than with the best one does not fit; a weight that is far from
//    the float model's does not either. The worst of them is the fault, where it is 6 dB or more.
// 2. Else the first half of the layers is put in float, which tells which half loses more; that is
//    halved again, until one layer is left.
// The result is verified by the model with that tensor, weight or layer in float. Errors: those of
// Comparison::pairs() and infer(). Cost: 3 compilations for a scale or weight, for a layer of n 3 +
// log2 n, counted in Bisection::compile_count; float models count as well. Files: the outputs of
// two models.
Result<void> bisect(Comparison& comparison);

}  // namespace planex::tune
