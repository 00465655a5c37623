// Compares a model that runs here with outputs that an engine saved elsewhere for the same samples.
#pragma once

#include "planex/error.h"
#include "quantize/accuracy.h"
#include "tune/data.h"
#include "tune/layer_accuracy.h"

namespace planex::tune {

// request.engine_outputs: what arrays::open_arrays() reads. Its iterations, or the first axis of
// its arrays, are samples in the order of the data. Tensors are matched by name. The float column
// is the reference, without its Q/DQ where there is no other subject; the simulated column is the
// subject, or the reference with its Q/DQ. Tensors that are not outputs become layers. Errors:
// those of load_data(), open_arrays(), run_called() and Runner::run(); kBadInput (no tensor of that
// name, or none of the same size). Memory: the saved outputs, one sample of the models.
Result<quantize::LayerAccuracies> saved_engine_accuracy(const LayerAccuracyRequest& request,
                                                        const Workshop& workshop);

}  // namespace planex::tune
