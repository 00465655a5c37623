#include "drive/python_driver.h"

#include <string>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "drive/availability.h"
#include "drive/driver_scripts.h"
#include "drive/error_translation.h"
#include "drive/program_driver.h"

namespace planex::drive {
namespace {

constexpr int kNoSuchProgram = 127;

Result<Plan> plan_script(const DriverInfo& driver, const ProcessRequest& request,
                         const std::string& model, Workspace& workspace,
                         const Cancellation& cancellation) {
  std::string python = request.python;
  // The other machine has its own Python.
  if (python.empty() && request.launcher.empty()) {
    python = own_python(request.program_dir).value_or("");
  }
  if (python.empty()) python = "python3";
  PLANEX_ASSIGN(std::string script, workspace.write(base::format("planex-{}.py", driver.id),
                                                    driver.script(), cancellation));
  return plan_program({python, std::move(script)}, request, model, workspace);
}

Error explain_script(const DriverInfo& driver, const ProcessRequest& request,
                     const StepFailure& failure) {
  const std::string& python = failure.step.words.front();
  if (!request.launcher.empty() && failure.outcome.ending == Ending::kExited &&
      failure.outcome.exit_code == kNoSuchProgram) {
    Error error;
    error.code = ErrorCode::kNotFound;
    error.message = base::format("there is no {} on the other machine", base::quoted(python));
    error.hint = "Give the Python there that has the engine's package: --python PATH.";
    error.context = last_lines(failure.outcome.stderr_tail);
    return error;
  }
  const EngineWords words = {.label = driver.label};
  return translate_outcome(words, failure.outcome, python, failure.phase, request.model,
                           !request.launcher.empty());
}

// The functions of a row of the table.
template <const DriverInfo& driver>
constexpr auto kPlan = [](const ProcessRequest& request, const std::string& model,
                          Workspace& workspace, const Cancellation& cancellation) {
  return plan_script(driver, request, model, workspace, cancellation);
};
template <const DriverInfo& driver>
constexpr auto kExplain = [](const ProcessRequest& request, const StepFailure& failure) {
  return explain_script(driver, request, failure);
};

}  // namespace

constexpr DriverInfo kTensorrtDriver = {
    .id = "tensorrt",
    .label = "TensorRT",
    .summary = "NVIDIA's Python package, for machines without trtexec",
    .plan = kPlan<kTensorrtDriver>,
    .explain = kExplain<kTensorrtDriver>,
    .script = tensorrt_script,
};

constexpr DriverInfo kTensorrtRtxDriver = {
    .id = "tensorrt-rtx",
    .label = "TensorRT-RTX",
    .summary = "NVIDIA's Python package; builds without a GPU, times with one",
    .plan = kPlan<kTensorrtRtxDriver>,
    .explain = kExplain<kTensorrtRtxDriver>,
    .script = tensorrt_rtx_script,
};

constexpr DriverInfo kOnnxruntimeDriver = {
    .id = "onnxruntime",
    .label = "ONNX Runtime",
    .summary = "the Python package, with any of its execution providers",
    .plan = kPlan<kOnnxruntimeDriver>,
    .explain = kExplain<kOnnxruntimeDriver>,
    .script = onnxruntime_script,
};

}  // namespace planex::drive
