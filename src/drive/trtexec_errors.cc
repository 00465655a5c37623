#include "drive/trtexec_errors.h"

#include <string>

#include "base/text.h"
#include "drive/error_translation.h"

namespace planex::drive {
namespace {

struct TrtexecError {
  std::string_view needle;
  ErrorCode code;
  std::string_view message;
  std::string_view hint;
};

constexpr std::string_view kElsewhere =
    "Run it on a machine with a GPU: --launcher \"ssh BOX\". TensorRT-RTX builds without one: "
    "--engine tensorrt-rtx.";
constexpr std::string_view kAnotherVersion =
    "Only the version that built an engine can read it: rebuild it from the model.";

// The first row whose needle occurs in the output applies.
constexpr TrtexecError kTrtexecErrors[] = {
    {"Cannot find any available devices", ErrorCode::kExternalTool, "trtexec found no GPU",
     kElsewhere},
    {"no CUDA-capable device", ErrorCode::kExternalTool, "trtexec found no GPU", kElsewhere},
    {"CUDA driver version is insufficient", ErrorCode::kExternalTool,
     "the GPU's driver is missing or too old for this trtexec", kElsewhere},
    {"CUDA initialization failure", ErrorCode::kExternalTool, "trtexec can't start CUDA",
     kElsewhere},
    {"Cannot find device ID", ErrorCode::kUsage, "there is no GPU with that number",
     "Check the number after device=."},
    {"error while loading shared libraries", ErrorCode::kNotFound,
     "trtexec can't load its libraries", "Add their folder to LD_LIBRARY_PATH."},
    {"Unknown option: ", ErrorCode::kUsage, "trtexec does not know an option",
     "planex process MODEL --engine trtexec -- --help lists those of this version."},
    {"Static model does not take explicit shapes", ErrorCode::kUsage,
     "the model's shapes are fixed", "Leave the shapes out."},
    {"Cannot find input tensor with name", ErrorCode::kUsage,
     "a shape was given for an input that the model does not have",
     "Check the names given with --shape."},
    {"Error opening engine file", ErrorCode::kNotFound, "trtexec can't open the engine", ""},
    {"was created with TensorRT version", ErrorCode::kUnsupported,
     "the engine was built with another version of TensorRT", kAnotherVersion},
    {"Engine deserialization failed", ErrorCode::kUnsupported, "trtexec can't read the engine",
     kAnotherVersion},
    {"Saving engine to file failed", ErrorCode::kIo, "trtexec can't write the engine",
     "Check whether the disk is full."},
    {"No space left on device", ErrorCode::kIo, "the disk is full", "Free some space."},
    {"could not find plugin", ErrorCode::kExternalTool, "the model needs a plugin",
     "Name its library: -- dynamicPlugins=LIBRARY.so (staticPlugins if other programs load the "
     "engine)."},
    {"Plugin not found", ErrorCode::kExternalTool, "the model needs a plugin",
     "Name its library: -- dynamicPlugins=LIBRARY.so (staticPlugins if other programs load the "
     "engine)."},
    {"Could not find any implementation for node", ErrorCode::kExternalTool,
     "TensorRT has no kernel for a layer",
     "A larger workspace may allow one: -- memPoolSize=workspace:8192."},
    {"out of memory", ErrorCode::kExternalTool, "the GPU's memory is full",
     "Free some, or use a smaller batch."},
    {"OutOfMemory", ErrorCode::kExternalTool, "the GPU's memory is full",
     "Free some, or use a smaller batch."},
    {"Parsing model failed", ErrorCode::kBadInput, "TensorRT can't parse the model",
     "planex doctor shows what is in the model file."},
    {"Model missing or format not recognized", ErrorCode::kBadInput,
     "trtexec does not recognize the file as a model", "It reads ONNX."},
};

// The first error of TensorRT itself: "[11/24/2026-10:00:00] [E] [TRT] text" -> "text". The ones
// after it only say that the build failed.
std::string_view first_error(std::string_view output) {
  while (!output.empty()) {
    std::string_view line = base::trimmed(base::take_part(output, '\n'));
    const std::size_t at = line.find("] [E] ");
    if (at == line.npos) continue;
    line.remove_prefix(at + 6);
    if (line.starts_with("[TRT] ")) line.remove_prefix(6);
    if (!line.empty()) return line;
  }
  return {};
}

}  // namespace

Error no_trtexec(std::string_view program) {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.message = base::format("there is no {} here", base::quoted(program));
  error.hint =
      "Give its path: --program PATH, or the machine that has it: --launcher \"ssh BOX\". planex "
      "doctor MODEL says how to install it.";
  return error;
}

Error explain_trtexec(const ProcessRequest& request, const StepFailure& failure) {
  constexpr int kNoSuchProgram = 127;
  constexpr EngineWords kWords = {
      .label = "trtexec",
      .crash_hint =
          "The crash is in TensorRT, not in planex; planex process … --print-only shows the "
          "commands, so that you can run them by hand."};
  std::string output = failure.output;
  output += failure.outcome.stderr_tail;
  Error error;
  if (failure.outcome.ending != Ending::kExited) {
    error = translate_outcome(kWords, failure.outcome, failure.step.words.front(), failure.phase,
                              request.model, !request.launcher.empty());
    if (error.context.empty()) error.context = last_lines(output);
    return error;
  }
  error.context = last_lines(output);
  error.file = request.model;
  const std::string_view said = first_error(output);
  for (const TrtexecError& row : kTrtexecErrors) {
    if (output.find(row.needle) == output.npos) continue;
    error.code = row.code;
    error.message = row.message;
    if (!said.empty()) error.message += base::format(": {}", base::quoted(said, 200));
    error.hint = row.hint;
    if (error.code != ErrorCode::kBadInput) error.file.clear();
    return error;
  }
  error.code = ErrorCode::kExternalTool;
  if (failure.outcome.exit_code == kNoSuchProgram && said.empty()) {
    error = no_trtexec(failure.step.words.front());
    error.context = last_lines(output);
    return error;
  }
  error.message = said.empty() ? base::format("trtexec ended with exit code {} while {}",
                                              failure.outcome.exit_code, doing(failure.phase))
                               : base::format("trtexec failed while {}: {}", doing(failure.phase),
                                              base::quoted(said, 200));
  error.hint =
      "planex process … --print-only shows the commands, so that you can run them by hand.";
  return error;
}

}  // namespace planex::drive
