#include "drive/driver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/error_translation.h"
#include "drive/manifest.h"
#include "drive/openvino.h"
#include "drive/output_folder.h"
#include "drive/sha256.h"
#include "drive/subprocess.h"

namespace planex::drive {
namespace {

constexpr std::string_view kManifestName = "manifest.json";

// All that drivers write; in this order in the manifest.
constexpr std::array<std::string_view, 3> kKinds = {"graph", "profile", "times"};

Result<const DriverInfo*> find_driver(const std::string& id) {
  const auto all = drivers();
  const auto found = std::ranges::find(all, id, &DriverInfo::id);
  if (found != all.end()) return &*found;
  std::vector<std::string_view> ids;
  for (const DriverInfo& driver : all) ids.push_back(driver.id);
  const auto near = base::nearest(id, ids);
  return fail(ErrorCode::kUsage, base::format("there is no engine {}", base::quoted(id)),
              near ? base::format("Did you mean {}?", *near)
                   : base::format("There is {}.", base::join_words(ids)));
}

// With a launcher the model may be on the other machine only.
Result<void> check_model(const ProcessRequest& request) {
  if (request.model.empty()) return fail(ErrorCode::kUsage, "no model was named");
  Error error;
  error.file = request.model;
  switch (base::disk().kind(request.model)) {
    case base::PathKind::kFile:
      return {};
    case base::PathKind::kFolder:
      error.code = ErrorCode::kBadInput;
      error.message = "is a folder, expected a model file";
      return fail(std::move(error));
    case base::PathKind::kMissing:
      if (!request.launcher.empty()) return {};
      error.code = ErrorCode::kNotFound;
      error.message = "there is no such model file";
      return fail(std::move(error));
    case base::PathKind::kOther:
      error.code = ErrorCode::kBadInput;
      error.message = "is a pipe or a device, expected a model file";
      return fail(std::move(error));
  }
  return {};
}

// Files of two models in one folder would share a manifest, and the first one's would be lost.
Result<void> check_folder(const ProcessRequest& request) {
  const std::string path = base::join_path(request.output_dir, kManifestName);
  if (base::disk().kind(path) != base::PathKind::kFile) return {};
  PLANEX_ASSIGN(const auto manifest, base::disk().read(path));
  const std::string before = name_in_manifest(manifest->view());
  const std::string name = engine_name(request.model);
  if (before.empty() || before == name) return {};
  Error error;
  error.code = ErrorCode::kUsage;
  error.file = request.output_dir;
  error.message =
      base::format("the folder holds the files of another model, {}", base::quoted(before));
  error.hint = base::format("choose a folder for each model: -o {}",
                            base::shell_word(base::join_path(request.output_dir, name)));
  return fail(std::move(error));
}

// Questions to the engine's program that need no model.
bool is_question(const ProcessRequest& request) {
  return std::ranges::any_of(request.flags, [](const std::string& flag) {
    return flag == "--help" || flag == "--version";
  });
}

std::string out_prefix(const ProcessRequest& request) {
  return base::join_path(request.output_dir, engine_name(request.model));
}

Result<ProcessOutcome> ask(const ProcessRequest& request, const DriverInfo& driver,
                           const Cancellation& cancellation) {
  PLANEX_ASSIGN(auto commands, driver.commands(request, out_prefix(request)));
  ProcessOutcome outcome;
  SubprocessRequest subprocess;
  subprocess.arguments = std::move(commands.front());
  subprocess.on_stdout = [&](std::string_view chunk) { outcome.text += chunk; };
  PLANEX_ASSIGN(const SubprocessOutcome ended, run_subprocess(subprocess, cancellation));
  if (ended.ending != Ending::kExited || ended.exit_code != 0) {
    return fail(translate_outcome(ended, subprocess.arguments.front(), "start", {},
                                  !request.launcher.empty()));
  }
  return outcome;
}

class ProcessRun {
 public:
  ProcessRun(const ProcessRequest& request, const DriverInfo& driver, Progress& progress,
             const Cancellation& cancellation)
      : request_(request), driver_(driver), progress_(progress), cancellation_(cancellation) {}

  Result<ProcessOutcome> run() {
    manifest_.started = std::chrono::system_clock::now();
    const auto start = std::chrono::steady_clock::now();
    PLANEX_TRY(check_model(request_));
    PLANEX_TRY(check_folder(request_));
    outcome_.name = engine_name(request_.model);
    PLANEX_ASSIGN(manifest_.commands, driver_.commands(request_, out_prefix(request_)));
    PLANEX_ASSIGN(OutputFolder folder, OutputFolder::open(request_.output_dir));

    const std::string staged = base::join_path(folder.staging(), outcome_.name);
    PLANEX_ASSIGN(EngineRun engine, driver_.run(request_, staged, progress_, cancellation_));
    outcome_.notes = std::move(engine.notes);
    manifest_.result_json = std::move(engine.result_json);
    PLANEX_TRY(collect(folder));
    const auto elapsed = std::chrono::steady_clock::now() - start;
    manifest_.elapsed_ms = std::chrono::duration<double, std::milli>(elapsed).count();
    PLANEX_TRY(finish(folder));
    return std::move(outcome_);
  }

 private:
  std::string file_name(std::string_view kind) const {
    return base::format("{}.{}.json", outcome_.name, kind);
  }

  Result<void> collect(const OutputFolder& folder) {
    for (const std::string_view kind : kKinds) {
      const std::string name = file_name(kind);
      const std::string staged = base::join_path(folder.staging(), name);
      if (base::disk().kind(staged) != base::PathKind::kFile) {
        stale_.push_back(name);
        continue;
      }
      PLANEX_ASSIGN(const FileDigest digest, digest_file(staged, cancellation_));
      outcome_.artefacts.push_back({.kind = std::string(kind),
                                    .path = folder.final_path(name),
                                    .size_bytes = digest.size_bytes,
                                    .sha256 = digest.sha256});
      names_.push_back(name);
    }
    return {};
  }

  Result<void> finish(OutputFolder& folder) {
    if (base::disk().kind(request_.model) == base::PathKind::kFile) {
      PLANEX_ASSIGN(manifest_.model_digest, digest_file(request_.model, cancellation_));
    }
    manifest_.engine = driver_.id;
    manifest_.name = outcome_.name;
    manifest_.model = request_.model;
    manifest_.launcher = request_.launcher;
    manifest_.artefacts = outcome_.artefacts;
    names_.emplace_back(kManifestName);
    PLANEX_TRY(base::write_file_atomically(base::join_path(folder.staging(), kManifestName),
                                           manifest_json(manifest_)));
    outcome_.manifest = folder.final_path(std::string(kManifestName));
    if (cancellation_.requested()) {
      return fail(ErrorCode::kCancelled, "stopped; nothing was written");
    }
    return folder.commit(names_, stale_);
  }

  const ProcessRequest& request_;
  const DriverInfo& driver_;
  Progress& progress_;
  const Cancellation& cancellation_;
  ProcessOutcome outcome_;
  Manifest manifest_;
  std::vector<std::string> names_;
  std::vector<std::string> stale_;
};

}  // namespace

std::span<const DriverInfo> drivers() { return {&kOpenvinoDriver, 1}; }

std::string engine_name(std::string_view model) {
  const std::string_view file = base::file_name_of(model);
  const std::size_t dot = file.rfind('.');
  return std::string(dot == std::string_view::npos || dot == 0 ? file : file.substr(0, dot));
}

Result<std::vector<std::vector<std::string>>> planned_commands(const ProcessRequest& request) {
  PLANEX_ASSIGN(const DriverInfo* driver, find_driver(request.engine));
  return driver->commands(request, out_prefix(request));
}

Result<ProcessOutcome> process(const ProcessRequest& request, Progress& progress,
                               const Cancellation& cancellation) {
  PLANEX_ASSIGN(const DriverInfo* driver, find_driver(request.engine));
  if (is_question(request)) return ask(request, *driver, cancellation);
  return ProcessRun(request, *driver, progress, cancellation).run();
}

}  // namespace planex::drive
