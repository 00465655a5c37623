// What a model's tensors hold on samples, to choose scales from.
#ifndef PLANEX_TUNE_OBSERVE_H_
#define PLANEX_TUNE_OBSERVE_H_

#include <functional>
#include <string>
#include <vector>

#include "drive/inference.h"
#include "planex/error.h"

namespace planex::tune {

struct ObserveRequest {
  std::string model;
  // Of a model with Q/DQ: simulated, so that what is seen is what its own arithmetic gives.
  drive::Arithmetic arithmetic = drive::Arithmetic::kFloat;
  std::vector<std::string> tensors;
  std::string samples;  // folder of arrays/sample_folder.h
  std::size_t sample_count = 0;
  // What to do about a tensor that OpenVINO's reader drops.
  std::string hint;
};

// Runs a job of which `step` is the name.
using Infer =
    std::function<Result<drive::InferenceResult>(drive::InferenceJob job, const std::string& step)>;

// Of each tensor, in their order: its range, and a histogram of quantize::kHistogramBins bins.
// Errors: those of `infer`; kUnsupported (a tensor that is not seen), kBadInput (NaN or infinity in
// one: names it). Cost: the samples run twice.
Result<std::vector<drive::ObservedTensor>> observe(const ObserveRequest& request,
                                                   const Infer& infer);

}  // namespace planex::tune

#endif  // PLANEX_TUNE_OBSERVE_H_
