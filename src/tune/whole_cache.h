// A scale for every float tensor of a model: what a DLA needs in a calibration cache.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/calibration_cache.h"
#include "quantize/outcome.h"
#include "quantize/thresholds.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {

// Inputs of the graph and outputs of its nodes, in the order of the nodes, where they are float.
// Tensors of `placed` have their thresholds from there, others get one by the method, each on its
// own. Constants and bodies of other nodes have none. A tensor that OpenVINO's reader drops, or
// that contains NaN or infinity, gets no line, and `notes` says so. Memory: all tensors of one
// sample, and a histogram of each. Errors: those of Runner::run().
Result<quantize::CalibrationCache> whole_cache(const ModelFile& file,
                                               std::span<const quantize::QuantizedTensor> placed,
                                               const SampleRange& samples,
                                               const quantize::MethodOptions& method,
                                               Runner& runner, std::vector<std::string>& notes);

}  // namespace planex::tune
