// A scale for every float tensor of a model: what a DLA wants of a calibration cache.
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

// Inputs of the graph and what its nodes make, in the order of the nodes, where it is float;
// tensors of `placed` have their thresholds from there, others by the method, on their own.
// Constants and bodies of other nodes have none. A tensor that OpenVINO's reader drops, or that has
// NaN or infinity, gets no line, and `notes` says so. Memory: that of all tensors of one sample,
// and a histogram of each. Errors: those of Runner::run().
Result<quantize::CalibrationCache> whole_cache(const ModelFile& file,
                                               std::span<const quantize::QuantizedTensor> placed,
                                               const SampleRange& samples,
                                               const quantize::MethodOptions& method,
                                               Runner& runner, std::vector<std::string>& notes);

}  // namespace planex::tune
