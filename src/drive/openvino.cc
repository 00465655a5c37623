#include "drive/openvino.h"

#include <string>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/error_translation.h"
#include "drive/program_driver.h"
#include "drive/unread_nodes.h"
#include "onnx/read.h"

namespace planex::drive {
namespace {

constexpr std::string_view kProgram = "planex-openvino";

Result<Plan> plan_openvino(const ProcessRequest& request, const std::string& model,
                           Workspace& workspace, const Cancellation& /*cancellation*/) {
  // On another machine, the program is the one on its PATH.
  std::string program(kProgram);
  if (!request.program.empty()) {
    program = request.program;
  } else if (!workspace.is_elsewhere()) {
    program = base::join_path(request.program_dir, kProgram);
    if (base::disk().kind(program) != base::PathKind::kFile) {
      Error error;
      error.code = ErrorCode::kNotFound;
      error.message =
          "planex-openvino is not beside planex: planex was built without the OpenVINO "
          "engine";
      error.file = program;
      error.hint = "Build planex with -DPLANEX_BUILD_OPENVINO=ON, or choose another --engine.";
      return fail(std::move(error));
    }
  }
  return plan_program({std::move(program)}, request, model, workspace);
}

// If OpenVINO can't read a model, planex reads it (if it is on this machine): it has the nodes'
// names.
Error explain_failure(const ProcessRequest& request, const StepFailure& failure) {
  const auto translated = [&](const onnx::Model* source) {
    return translate_outcome(kOpenvinoWords, failure.outcome, failure.step.words.front(),
                             failure.phase, request.model, !request.launcher.empty(), source);
  };
  if (!is_about_nodes(failure.outcome.stderr_tail)) return translated(nullptr);
  const auto bytes = base::disk().read(request.model, base::Access::kSparse);
  if (!bytes) return translated(nullptr);
  const auto source = onnx::read_model((*bytes)->view());
  return translated(source && (*bytes)->is_intact() ? &*source : nullptr);
}

}  // namespace

constexpr DriverInfo kOpenvinoDriver = {
    .id = "openvino",
    .label = "OpenVINO",
    .summary = "compiles for this machine's CPU; built in",
    .plan = plan_openvino,
    .explain = explain_failure,
};

}  // namespace planex::drive
