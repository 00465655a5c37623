// Turns a placement and samples into scales, and into the quantized model.
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

// What the samples produced in the float model's tensors, by name.
using Observations = std::map<std::string, drive::ObservedTensor, std::less<>>;

// Runs the model and adds the ranges and histograms of those `names` that `seen` does not have. A
// model with Q/DQ is simulated, so that the values come from its own arithmetic. Tensors that
// OpenVINO's reader drops stay missing. Cost: two sweeps over the samples; none where nothing is
// missing.
Result<void> observe(const ModelFile& file, const std::vector<std::string>& names,
                     const SampleRange& samples, Runner& runner, Observations& seen,
                     drive::Arithmetic arithmetic = drive::Arithmetic::kFloat);

// The observed tensor. Errors: kUnsupported (it was not observed: `hint` says what to do about it),
// kBadInput (it contains NaN or infinity): both name it.
Result<const drive::ObservedTensor*> finite_tensor(const ModelFile& file, std::string_view name,
                                                   const Observations& seen,
                                                   const std::string& hint);
quantize::Histogram histogram_of(const drive::ObservedTensor& seen);
// The note for users about a tensor that has no range.
std::string zero_note(std::string_view tensor);

// The tensors of the placement, in its order, without thresholds and scales but with the encoding
// that the target accepts; anything unusual goes to `notes`. Errors: those of finite_tensor().
Result<std::vector<quantize::QuantizedTensor>> calibrated(
    const ModelFile& file, const quantize::Placement& placement, quantize::Target target,
    quantize::NumberFormat format, const Observations& seen, std::vector<std::string>& notes);

// Whether 8-bit products overflow on the machine that will run the model: weights then get 7 bits.
bool saturates(quantize::Target target, const Runner& runner);
// The note for users about that.
std::string saturation_note(const Runner& runner);

// Writes the model with these scales, which belong to the placement's tensors. Errors: those of
// quantize::rewrite() and ModelFile::write().
Result<std::vector<quantize::WeightScales>> write_quantized(ModelFile& file,
                                                            const quantize::Placement& placement,
                                                            const quantize::RewriteOptions& options,
                                                            const std::string& path);

// As a TensorRT calibration cache (quantize/calibration_cache.h), from the thresholds: signed and
// without zero points, whatever the model has. Errors: kIo.
Result<void> write_cache(const std::vector<quantize::QuantizedTensor>& tensors,
                         const std::string& path);

}  // namespace planex::tune
