// From a placement and samples to scales, and to the quantized model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "drive/inference.h"
#include "planex/error.h"
#include "quantize/outcome.h"
#include "quantize/placement.h"
#include "quantize/rewrite.h"
#include "quantize/thresholds.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {

// What the float model's tensors were on the samples, by name.
using Observations = std::map<std::string, drive::ObservedTensor, std::less<>>;

// Runs the model and adds those of `names` that `seen` does not have: ranges and histograms. One
// with Q/DQ is simulated, so that what is seen is what its own arithmetic gives. Tensors that
// OpenVINO's reader drops stay missing. Cost: two sweeps over the samples; none where nothing is
// missing.
Result<void> observe(const ModelFile& file, const std::vector<std::string>& names,
                     const SampleRange& samples, Runner& runner, Observations& seen,
                     drive::Arithmetic arithmetic = drive::Arithmetic::kFloat);

// The tensor as it was seen. Errors: kUnsupported (it was not: `hint` says what to do about it),
// kBadInput (NaN or infinity in it): both name it.
Result<const drive::ObservedTensor*> finite_tensor(const ModelFile& file, std::string_view name,
                                                   const Observations& seen,
                                                   const std::string& hint);
quantize::Histogram histogram_of(const drive::ObservedTensor& seen);
// What users are told of a tensor that has no range.
std::string zero_note(std::string_view tensor);

// Those of the placement, in its order, without thresholds and scales but with the encoding that
// the target takes; what is odd goes to `notes`. Errors: those of finite_tensor().
Result<std::vector<quantize::QuantizedTensor>> calibrated(
    const ModelFile& file, const quantize::Placement& placement, quantize::Target target,
    quantize::NumberFormat format, const Observations& seen, std::vector<std::string>& notes);

// Whether products of 8 bits overflow where the model is to run: weights are then on 7.
bool saturates(quantize::Target target, const Runner& runner);
// What users are told of that.
std::string saturation_note(const Runner& runner);

// Writes the model with these scales, which are those of the placement's tensors.
// Errors: those of quantize::rewrite() and ModelFile::write().
Result<std::vector<quantize::WeightScales>> write_quantized(ModelFile& file,
                                                            const quantize::Placement& placement,
                                                            const quantize::RewriteOptions& options,
                                                            const std::string& path);

// As a TensorRT calibration cache (quantize/calibration_cache.h), by the thresholds: signed and
// without zero points, whatever the model has. Errors: kIo.
Result<void> write_cache(const std::vector<quantize::QuantizedTensor>& tensors,
                         const std::string& path);

}  // namespace planex::tune
