#include "drive/openvino.h"

#include <simdjson.h>

#include <string>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/error_translation.h"
#include "drive/subprocess.h"
#include "drive/unread_nodes.h"
#include "onnx/read.h"

namespace planex::drive {
namespace {

constexpr std::string_view kProgram = "planex-openvino";

// These would part the files from where they are expected.
Result<void> check_flags(const std::vector<std::string>& flags) {
  for (const std::string& flag : flags) {
    const std::string_view name = std::string_view(flag).substr(0, flag.find('='));
    if (name == "--model" || name == "--out" || name == "--progress-fd") {
      return fail(ErrorCode::kUsage, base::format("{} is set by planex itself", name),
                  "Name the model as the argument of `planex process`, and the folder with -o.");
    }
  }
  return {};
}

Result<std::vector<std::vector<std::string>>> commands(const ProcessRequest& request,
                                                       const std::string& out_prefix) {
  PLANEX_TRY(check_flags(request.flags));
  const std::string program = base::join_path(request.program_dir, kProgram);
  // With a launcher it is the other machine that must have it.
  if (request.launcher.empty() && base::disk().kind(program) != base::PathKind::kFile) {
    Error error;
    error.code = ErrorCode::kNotFound;
    error.message = "planex-openvino is not beside planex: built without the OpenVINO engine";
    error.file = program;
    error.hint = "Build planex with -DPLANEX_BUILD_OPENVINO=ON, or choose another --engine.";
    return fail(std::move(error));
  }
  std::vector<std::string> words = request.launcher;
  words.push_back(program);
  words.insert(words.end(), {"--model", request.model, "--out", out_prefix, "--name",
                             engine_name(request.model)});
  words.insert(words.end(), request.flags.begin(), request.flags.end());
  return std::vector<std::vector<std::string>>{std::move(words)};
}

// One line of the program's stdout: {"phase": "compile", "done": 0.5}. A launcher may write others.
struct Step {
  std::string phase;
  double done = 0;
};

std::optional<Step> parse_step(std::string_view line) {
  simdjson::dom::parser parser;
  simdjson::dom::object json;
  if (parser.parse(line.data(), line.size()).get(json) != simdjson::SUCCESS) return std::nullopt;
  std::string_view phase;
  double done = 0;
  if (json["phase"].get(phase) != simdjson::SUCCESS) return std::nullopt;
  if (json["done"].get(done) != simdjson::SUCCESS) return std::nullopt;
  return Step{std::string(phase), done};
}

std::vector<std::string> notes_of(const std::string& result_json) {
  std::vector<std::string> notes;
  simdjson::dom::parser parser;
  simdjson::dom::array found;
  if (parser.parse(result_json)["notes"].get(found) != simdjson::SUCCESS) return notes;
  for (const simdjson::dom::element& note : found) {
    std::string_view text;
    if (note.get(text) == simdjson::SUCCESS) notes.emplace_back(text);
  }
  return notes;
}

// A model that OpenVINO could not read is read here, if there is one here: it has the nodes' names.
Error error_of(const SubprocessOutcome& outcome, const std::string& program, std::string_view phase,
               const ProcessRequest& request) {
  const auto translated = [&](const onnx::Model* source) {
    return translate_outcome(outcome, program, phase, request.model, !request.launcher.empty(),
                             source);
  };
  if (!is_about_nodes(outcome.stderr_tail)) return translated(nullptr);
  const auto bytes = base::disk().read(request.model, base::Access::kSparse);
  if (!bytes) return translated(nullptr);
  const auto source = onnx::read_model((*bytes)->view());
  return translated(source && (*bytes)->is_intact() ? &*source : nullptr);
}

Result<EngineRun> run(const ProcessRequest& request, const std::string& out_prefix,
                      Progress& progress, const Cancellation& cancellation) {
  PLANEX_ASSIGN(auto planned, commands(request, out_prefix));
  std::string phase = "start";
  LineSplitter lines([&](std::string_view line) {
    const auto step = parse_step(line);
    if (!step) return;
    phase = step->phase;
    progress.update(kOpenvinoDriver.id, step->phase, step->done);
  });
  SubprocessRequest subprocess;
  subprocess.arguments = std::move(planned.front());
  subprocess.on_stdout = [&](std::string_view chunk) { lines.add(chunk); };
  PLANEX_ASSIGN(const SubprocessOutcome outcome, run_subprocess(subprocess, cancellation));
  lines.finish();
  if (outcome.ending != Ending::kExited || outcome.exit_code != 0) {
    return fail(error_of(outcome, subprocess.arguments.front(), phase, request));
  }
  const std::string result_path = out_prefix + ".result.json";
  auto result = base::disk().read(result_path);
  if (!result) {
    Error error;
    error.code = ErrorCode::kExternalTool;
    error.message = "planex-openvino finished, but its files are missing";
    error.file = result_path;
    error.context = std::string(base::trimmed(outcome.stderr_tail));
    if (!request.launcher.empty()) {
      error.hint = "With --launcher, both machines must see the same folders under the same paths.";
    }
    return fail(std::move(error));
  }
  EngineRun done;
  done.result_json = (*result)->view();
  done.notes = notes_of(done.result_json);
  return done;
}

}  // namespace

constexpr DriverInfo kOpenvinoDriver = {
    .id = "openvino",
    .label = "OpenVINO",
    .summary = "compiles for this machine's CPU; built in",
    .commands = commands,
    .run = run,
};

}  // namespace planex::drive
