#include "drive/trtexec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/availability.h"
#include "drive/json_field.h"
#include "drive/trtexec_errors.h"
#include "drive/trtexec_options.h"

namespace planex::drive {
namespace {

using trtexec::TensorrtVersion;

// The first version that writes its layers to a file, and the first without --buildOnly.
constexpr TensorrtVersion kFirst = {8, 2};
constexpr TensorrtVersion kSkipsInference = {8, 6};

std::string program_of(const ProcessRequest& request) {
  return request.program.empty() ? "trtexec" : request.program;
}

// A saved engine runs unchanged.
bool is_engine_file(std::string_view model) {
  constexpr auto kEndings = std::to_array<std::string_view>({".engine", ".plan", ".trt"});
  return std::ranges::any_of(kEndings,
                             [&](std::string_view ending) { return model.ends_with(ending); });
}

// The version in its first line, whatever the rest of the output is.
Result<std::string> ask_version(const ProcessRequest& request, Workspace& workspace,
                                const Cancellation& cancellation) {
  const Step step = {.words = {program_of(request), "--help"}, .phase = "start", .log = {}};
  std::string output;
  SubprocessRequest subprocess;
  subprocess.arguments = step.words;
  subprocess.timeout = request.timeout;
  subprocess.on_stdout = [&](std::string_view chunk) { output += chunk; };
  auto ended = workspace.run(subprocess, cancellation);
  if (!ended) {
    Error error = ended.error();
    if (error.code == ErrorCode::kNotFound && request.launcher.empty()) {
      error = no_trtexec(program_of(request));
    }
    return fail(std::move(error));
  }
  output += ended->stderr_tail;
  std::string version = trtexec_version(output);
  if (!version.empty()) return version;
  if (ended->ending != Ending::kExited || ended->exit_code != 0) {
    return fail(explain_trtexec(request, {.step = step,
                                          .outcome = std::move(*ended),
                                          .phase = "start",
                                          .output = std::move(output)}));
  }
  Error error;
  error.code = ErrorCode::kExternalTool;
  error.message =
      base::format("{} does not print its version; expected \"[TensorRT v…]\" in its first line",
                   base::quoted(program_of(request)));
  error.context = output.substr(0, 400);
  error.hint = "Is it NVIDIA's trtexec? Give the right one: --program PATH.";
  return fail(std::move(error));
}

std::string trtexec_result_json(std::string_view version, const ProcessRequest& request,
                                const TrtexecOptions& options) {
  rapidjson::StringBuffer buffer;
  JsonFileWriter json(buffer);
  json.StartObject();
  write_field(json, "schema", "planex.trtexec-result/1");
  write_field(json, "producer_version", version);
  const auto words = [&](const char* key, const std::vector<std::string>& list) {
    json.Key(key);
    json.StartArray();
    for (const std::string& word : list) write_text(json, word);
    json.EndArray();
  };
  words("asked", request.flags);
  words("build_options", options.build);
  words("times_options", options.times);
  words("profile_options", options.profile);
  words("notes", options.notes);
  json.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

Result<Plan> plan_trtexec(const ProcessRequest& request, const std::string& model,
                          Workspace& workspace, const Cancellation& cancellation) {
  Plan plan;
  const std::string program = program_of(request);
  if (is_question(request)) {
    plan.steps.push_back({.words = {program, "--help"}, .phase = "start", .log = {}});
    return plan;
  }
  PLANEX_ASSIGN(const std::string said, ask_version(request, workspace, cancellation));
  const TensorrtVersion version = version_number(said);
  if (version < kFirst) {
    return fail(
        ErrorCode::kUnsupported,
        base::format(
            "trtexec {} can't export an engine's layers; 8.2 is the first version that can", said),
        "Name a newer one: --program PATH.");
  }
  PLANEX_ASSIGN(const TrtexecOptions options, sort_trtexec_options(request, version));
  const std::string name = engine_name(request.model);
  const auto file = [&](std::string_view ending) {
    return workspace.path(base::format("{}{}", name, ending));
  };
  const auto step = [&](std::string_view phase, std::string_view log, std::vector<std::string> own,
                        const std::vector<std::string>& given) {
    own.insert(own.begin(), program);
    own.insert(own.end(), given.begin(), given.end());
    plan.steps.push_back(
        {.words = std::move(own), .phase = std::string(phase), .log = std::string(log)});
  };
  const std::string layers = "--exportLayerInfo=" + file(".graph.json");
  const std::string verbosity = "--profilingVerbosity=detailed";
  std::string engine = model;
  if (!is_engine_file(request.model)) {
    engine = file(".engine");
    step("compile", ".build.log",
         {"--onnx=" + model, "--saveEngine=" + engine, layers, verbosity, "--verbose",
          version < kSkipsInference ? "--buildOnly" : "--skipInference"},
         options.build);
  }
  plan.notes = options.notes;
  if (options.is_build_only) {
    plan.notes.emplace_back("built but not run: there are no times");
  } else {
    step("time", ".times.log", {"--loadEngine=" + engine, "--exportTimes=" + file(".times.json")},
         options.times);
    // Again, with the shapes of the run: after a build, dynamic shapes are still open.
    step("profile", ".profile.log",
         {"--loadEngine=" + engine, "--exportProfile=" + file(".profile.json"), layers, verbosity},
         options.profile);
  }
  plan.result_json = trtexec_result_json(said, request, options);
  return plan;
}

}  // namespace

constexpr DriverInfo kTrtexecDriver = {
    .id = "trtexec",
    .label = "TensorRT (trtexec)",
    .summary = "NVIDIA's own program, 8.2 to 11",
    .plan = plan_trtexec,
    .explain = explain_trtexec,
};

}  // namespace planex::drive
