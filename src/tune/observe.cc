#include "tune/observe.h"

#include <map>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "quantize/thresholds.h"

namespace planex::tune {
namespace {

Result<void> check_finite(const drive::ObservedTensor& seen, const ObserveRequest& request) {
  if (seen.nan_count == 0 && seen.inf_count == 0) return {};
  return fail(
      {.code = ErrorCode::kBadInput,
       .message = base::format(
           "tensor {} of the {}model has {} and {} on this data", base::quoted(seen.tensor.tensor),
           request.arithmetic == drive::Arithmetic::kFloat ? "float " : "",
           base::counted(static_cast<std::size_t>(seen.nan_count), "NaN"),
           base::counted(static_cast<std::size_t>(seen.inf_count), "infinity", "infinities")),
       .file = request.model,
       .hint = "The data or the model is at fault: no scale can be had of these."});
}

}  // namespace

Result<std::vector<drive::ObservedTensor>> observe(const ObserveRequest& request,
                                                   const Infer& infer) {
  drive::InferenceModel model{
      .id = "observed", .path = request.model, .arithmetic = request.arithmetic};
  drive::InferencePass pass;
  for (const std::string& tensor : request.tensors) {
    model.taps.push_back(tensor);
    pass.observed.push_back({model.id, tensor});
  }
  pass.models.push_back(std::move(model));
  pass.histogram_bins = quantize::kHistogramBins;
  drive::InferenceJob job;
  job.samples = request.samples;
  job.sample_count = request.sample_count;
  job.passes.push_back(std::move(pass));
  PLANEX_ASSIGN(drive::InferenceResult seen, infer(std::move(job), "calibrate"));
  std::map<std::string, drive::ObservedTensor, std::less<>> by_name;
  for (drive::ObservedTensor& tensor : seen.passes.front().observed) {
    std::string name = tensor.tensor.tensor;
    by_name.emplace(std::move(name), std::move(tensor));
  }
  std::vector<drive::ObservedTensor> observed;
  for (const std::string& tensor : request.tensors) {
    const auto found = by_name.find(tensor);
    if (found == by_name.end()) {
      return fail(
          {.code = ErrorCode::kUnsupported,
           .message = base::format("OpenVINO's reader drops tensor {}, so its range is not seen",
                                   base::quoted(tensor)),
           .file = request.model,
           .hint = request.hint});
    }
    PLANEX_TRY(check_finite(found->second, request));
    observed.push_back(std::move(found->second));
  }
  return observed;
}

}  // namespace planex::tune
