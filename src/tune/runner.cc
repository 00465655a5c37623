#include "tune/runner.h"

#include <utility>

#include "base/try.h"

namespace planex::tune {

Result<drive::InferenceResult> Runner::run(drive::InferenceJob job, const std::string& step) {
  job.threads = workshop_.threads;
  PLANEX_ASSIGN(
      drive::InferenceResult result,
      drive::infer(job, workshop_.program, workshop_.progress_of(step), workshop_.cancellation));
  runtime_version_ = result.runtime_version;
  isa_ = result.isa;
  has_vnni_ = result.has_vnni;
  return result;
}

Result<drive::PassResult> Runner::run(drive::InferencePass pass, const SampleRange& samples,
                                      const std::string& step) {
  drive::InferenceJob job;
  job.samples = samples.folder;
  job.first_sample = samples.first;
  job.sample_count = samples.count;
  job.passes.push_back(std::move(pass));
  PLANEX_ASSIGN(drive::InferenceResult result, run(std::move(job), step));
  if (result.passes.size() == 1) return std::move(result.passes.front());
  return fail(ErrorCode::kInternal, "planex-openvino returned an unexpected number of passes");
}

}  // namespace planex::tune
