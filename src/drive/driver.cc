#include "drive/driver.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/no_room.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/machine_recorder.h"
#include "drive/manifest.h"
#include "drive/model_files.h"
#include "drive/output_folder.h"
#include "drive/program_driver.h"
#include "drive/sha256.h"
#include "drive/subprocess.h"
#include "drive/workspace.h"

namespace planex::drive {
namespace {

constexpr std::string_view kManifestName = "manifest.json";
constexpr std::string_view kResultEnding = ".result.json";
// Written beside a model by planex quantize or planex search; an ending of artefact_kinds().
constexpr auto kRecordEndings = std::to_array<std::string_view>({".quantize.json", ".search.json"});
// The output of a program that failed; importers ignore it.
constexpr std::string_view kFailedLogEnding = ".failed.log";
// Drivers that run a model always write these, or say that they don't.
constexpr std::array<std::string_view, 3> kUsualKinds = {"graph", "profile", "times"};
constexpr std::size_t kOutputTailBytes = std::size_t{64} << 10;

Result<const DriverInfo*> find_driver(std::string_view id) {
  const auto all = drivers();
  const auto found = std::ranges::find(all, id, &DriverInfo::id);
  if (found != all.end()) return &*found;
  std::vector<std::string_view> ids;
  for (const DriverInfo& driver : all) ids.push_back(driver.id);
  const auto near = base::nearest(id, ids);
  return fail(ErrorCode::kUsage, base::format("there is no engine {}", base::quoted(id)),
              near ? base::format("Did you mean {}?", *near)
                   : base::format("Known engines: {}.", base::join_words(ids)));
}

// With a launcher the model may exist only on the other machine.
Result<void> check_model(const ProcessRequest& request) {
  if (request.model.empty()) return fail(ErrorCode::kUsage, "no model was given");
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

// The manifest of an earlier run into the folder; empty if there is none.
Result<std::string> earlier_manifest(const ProcessRequest& request) {
  const std::string path = base::join_path(request.output_dir, kManifestName);
  if (base::disk().kind(path) != base::PathKind::kFile) return std::string();
  PLANEX_ASSIGN(const auto manifest, base::disk().read(path));
  return std::string(manifest->view());
}

// Two models' files in one folder would share a manifest, and the first one's would be lost.
Result<void> check_folder(const ProcessRequest& request, std::string_view earlier) {
  const std::string before = name_in_manifest(earlier);
  const std::string name = engine_name(request.model);
  if (before.empty() || before == name) return {};
  Error error;
  error.code = ErrorCode::kUsage;
  error.file = request.output_dir;
  error.message =
      base::format("the folder contains the files of another model, {}", base::quoted(before));
  error.hint = base::format("use one folder per model: -o {}",
                            base::shell_word(base::join_path(request.output_dir, name)));
  return fail(std::move(error));
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  if (what.empty()) return;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

std::string file_to_open(const ProcessOutcome& outcome) {
  for (const std::string_view kind : {"graph", "trace", "build-log", "profile"}) {
    const auto found = std::ranges::find(outcome.artefacts, kind, &Artefact::kind);
    if (found != outcome.artefacts.end()) return found->path;
  }
  return outcome.manifest;
}

// Distinguishes a file from another of the same name, and from itself before it was modified.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, size_bytes = 0;
  std::int64_t modified_ns = 0;

  bool operator==(const FileStamp&) const = default;
};

std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileStamp{
      .device = status.st_dev,
      .inode = status.st_ino,
      .size_bytes = static_cast<std::uint64_t>(status.st_size),
      .modified_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
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
    PLANEX_ASSIGN(const std::string earlier, earlier_manifest(request_));
    PLANEX_TRY(check_folder(request_, earlier));
    outcome_.name = engine_name(request_.model);
    PLANEX_ASSIGN(OutputFolder folder, OutputFolder::open(request_.output_dir));
    auto outcome = run_in(folder, earlier, start);
    return outcome ? std::move(outcome) : fail(with_final_paths(std::move(outcome).error()));
  }

 private:
  Result<ProcessOutcome> run_in(OutputFolder& folder, const std::string& earlier,
                                std::chrono::steady_clock::time_point start) {
    staging_ = folder.staging();
    PLANEX_ASSIGN(std::optional<ClockLock> clocks, MachineRecorder::lock_clocks(request_));
    machine_.emplace(request_, progress_, clocks);
    PLANEX_ASSIGN(
        workspace_,
        open_workspace(staging_, {request_.launcher, request_.launcher_timeout}, cancellation_));
    PLANEX_TRY(look_at_model());
    PLANEX_TRY(bring_model());
    PLANEX_ASSIGN(Plan plan, driver_.plan(request_, model_, *workspace_, cancellation_));
    for (const Step& step : plan.steps) {
      manifest_.commands.push_back(final_words(step.words));
      PLANEX_TRY(run_step(step));
    }
    PLANEX_TRY(workspace_->fetch(file_names(), cancellation_));
    PLANEX_TRY(read_result(plan));
    PLANEX_TRY(take_records());
    PLANEX_TRY(machine_->write(base::join_path(staging_, outcome_.name + ".machine.json")));
    outcome_.notes.insert(outcome_.notes.begin(), plan.notes.begin(), plan.notes.end());
    if (clocks) {
      std::string left = clocks->release();
      if (!left.empty()) outcome_.notes.push_back(std::move(left));
    }
    PLANEX_TRY(collect(folder, files_in_manifest(earlier)));
    const auto elapsed = std::chrono::steady_clock::now() - start;
    manifest_.elapsed_ms = std::chrono::duration<double, std::milli>(elapsed).count();
    PLANEX_TRY(finish(folder));
    return std::move(outcome_);
  }

  // Errors name files by their final location.
  Error with_final_paths(Error error) const {
    const std::string staging = base::join_path(staging_, "");
    const std::string there = base::join_path(request_.output_dir, "");
    replace_all(error.file, staging, there);
    replace_all(error.message, staging, there);
    return error;
  }

  // Hash it before the engine reads it: afterwards it may be a different file.
  Result<void> look_at_model() {
    if (base::disk().kind(request_.model) != base::PathKind::kFile) return {};
    model_stamp_ = stamp_of(request_.model);
    PLANEX_ASSIGN(manifest_.model_digest, digest_file(request_.model, cancellation_));
    return {};
  }

  Result<void> bring_model() {
    model_ = request_.model;
    if (base::disk().kind(request_.model) != base::PathKind::kFile) return {};
    std::vector<std::string> data;
    if (workspace_->is_elsewhere()) {
      machine_->update(driver_.id, "copy", 0);
      data = model_data_files(request_.model);
    }
    PLANEX_ASSIGN(model_, workspace_->bring(request_.model, data, cancellation_));
    return {};
  }

  // With the final names of the files.
  std::vector<std::string> final_words(std::vector<std::string> words) const {
    std::string folder = workspace_->path("x");
    folder.pop_back();
    std::string there = base::join_path(request_.output_dir, "x");
    there.pop_back();
    for (std::string& word : words) {
      if (model_ != request_.model) replace_all(word, model_, request_.model);
      replace_all(word, folder, there);
    }
    return words;
  }

  Result<void> run_step(const Step& step) {
    std::string phase = step.phase;
    const bool is_logged = !step.log.empty();
    if (is_logged) machine_->update(driver_.id, phase, 0);
    LineSplitter lines([&](std::string_view line) {
      const auto told = parse_phase(line);
      if (!told) return;
      phase = told->phase;
      machine_->update(driver_.id, told->phase, told->done);
    });
    std::ofstream log;
    const std::string log_path = base::join_path(staging_, outcome_.name + step.log);
    int log_error = 0;
    if (is_logged) {
      log.open(log_path, std::ios::binary);
      if (!log) log_error = errno;
    }
    StderrTail tail(kOutputTailBytes);
    const auto keep = [&](std::string_view chunk) {
      errno = 0;
      if (log && !(log << chunk).flush()) log_error = errno;
      tail.add(chunk);
    };
    SubprocessRequest subprocess;
    subprocess.arguments = step.words;
    subprocess.timeout = request_.timeout;
    if (is_logged) {
      subprocess.on_stdout = keep;
      subprocess.on_stderr = keep;
    } else {
      subprocess.on_stdout = [&](std::string_view chunk) { lines.add(chunk); };
    }
    PLANEX_ASSIGN(SubprocessOutcome ended, workspace_->run(subprocess, cancellation_));
    lines.finish();
    if (is_logged) log.close();
    if (ended.ending != Ending::kExited || ended.exit_code != 0) {
      if (ended.ending == Ending::kCancelled || cancellation_.requested()) {
        return fail(ErrorCode::kCancelled, "stopped; nothing was written");
      }
      return fail(with_log(step, driver_.explain(request_, {.step = step,
                                                            .outcome = std::move(ended),
                                                            .phase = phase,
                                                            .output = tail.take()})));
    }
    if (log_error != 0) {
      return fail(
          {.code = ErrorCode::kIo,
           .message = base::format("can't write the engine's log: {}", std::strerror(log_error)),
           .file = log_path,
           .hint = base::hint_on_room(log_error)});
    }
    stderr_tail_ = std::move(ended.stderr_tail);
    return {};
  }

  std::string failed_log_name() const {
    return base::format("{}{}", outcome_.name, kFailedLogEnding);
  }

  // The one file that a failed run leaves: what the program printed, or wrote as its log.
  Error with_log(const Step& step, Error error) const {
    const std::string name = failed_log_name();
    std::string staged = base::join_path(staging_, name);
    if (!step.log.empty()) {
      staged = base::join_path(staging_, base::format("{}{}", outcome_.name, step.log));
    } else if (!workspace_->fetch({name}, cancellation_)) {
      return error;
    }
    std::error_code code;
    const auto size = std::filesystem::file_size(staged, code);
    if (code || size == 0) return error;
    const std::string path = base::join_path(request_.output_dir, name);
    std::filesystem::rename(staged, path, code);
    if (code) return error;
    if (!error.hint.empty()) error.hint += ' ';
    error.hint += base::format("The complete log: {}", path);
    return error;
  }

  // Every file that the run may have left, by name.
  std::vector<std::string> file_names() const {
    std::vector<std::string> names;
    for (const ArtefactKind& kind : artefact_kinds()) {
      names.push_back(base::format("{}{}", outcome_.name, kind.ending));
    }
    names.push_back(base::format("{}{}", outcome_.name, kResultEnding));
    return names;
  }

  Result<void> read_result(Plan& plan) {
    manifest_.result_json = std::move(plan.result_json);
    if (!manifest_.result_json.empty()) return {};
    const std::string name = base::format("{}{}", outcome_.name, kResultEnding);
    const std::string path = base::join_path(staging_, name);
    auto result = base::disk().read(path);
    if (!result) {
      return fail({.code = ErrorCode::kExternalTool,
                   .message = base::format("the program of {} finished, but its files are missing",
                                           driver_.label),
                   .file = path,
                   .context = std::string(base::trimmed(stderr_tail_))});
    }
    manifest_.result_json = (*result)->view();
    for (std::string& note : notes_of(manifest_.result_json)) plan.notes.push_back(std::move(note));
    return {};
  }

  // How the model was quantized: planex quantize and search leave this file beside the model. The
  // engine's files may later be read on a machine that does not have the model.
  Result<void> take_records() {
    for (const std::string_view ending : kRecordEndings) {
      const std::string record = base::format("{}{}", request_.model, ending);
      if (base::disk().kind(record) != base::PathKind::kFile) continue;
      PLANEX_ASSIGN(const auto bytes, base::disk().read(record));
      const std::string of = model_in_record(bytes->view());
      if (!of.empty() && manifest_.model_digest && of != manifest_.model_digest->sha256) {
        outcome_.notes.push_back(base::format(
            "{} belongs to another model than the one beside it, so it was left out", record));
        continue;
      }
      const std::string name = base::format("{}{}", outcome_.name, ending);
      PLANEX_TRY(base::write_file_atomically(base::join_path(staging_, name), bytes->view()));
    }
    return {};
  }

  Result<void> collect(const OutputFolder& folder, const std::vector<std::string>& earlier) {
    stale_.push_back(failed_log_name());
    for (const ArtefactKind& kind : artefact_kinds()) {
      std::string name = base::format("{}{}", outcome_.name, kind.ending);
      const std::string staged = base::join_path(folder.staging(), name);
      if (base::disk().kind(staged) != base::PathKind::kFile) {
        if (std::ranges::find(earlier, name) != earlier.end() ||
            std::ranges::find(kUsualKinds, kind.id) != kUsualKinds.end()) {
          stale_.push_back(std::move(name));
        }
        continue;
      }
      PLANEX_ASSIGN(const FileDigest digest, digest_file(staged, cancellation_));
      outcome_.artefacts.push_back({.kind = std::string(kind.id),
                                    .path = folder.final_path(name),
                                    .size_bytes = digest.size_bytes,
                                    .sha256 = digest.sha256});
      names_.push_back(std::move(name));
    }
    return {};
  }

  Result<void> finish(OutputFolder& folder) {
    if (manifest_.model_digest && stamp_of(request_.model) != model_stamp_) {
      outcome_.notes.push_back(base::format(
          "{} was changed while it was built and measured, so these figures may belong to either "
          "version: run it again; the manifest has the hash that the file had before",
          request_.model));
      manifest_.was_model_changed = true;
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
    outcome_.engine = file_to_open(outcome_);
    if (cancellation_.requested()) {
      return fail(ErrorCode::kCancelled, "stopped; nothing was written");
    }
    return folder.commit(names_, stale_);
  }

  const ProcessRequest& request_;
  const DriverInfo& driver_;
  Progress& progress_;
  const Cancellation& cancellation_;
  std::optional<MachineRecorder> machine_;
  std::string staging_;
  std::unique_ptr<Workspace> workspace_;
  std::string model_;  // The model's path, as the programs see it.
  std::string stderr_tail_;
  ProcessOutcome outcome_;
  Manifest manifest_;
  std::optional<FileStamp> model_stamp_;
  std::vector<std::string> names_;
  std::vector<std::string> stale_;
};

Result<Plan> plan_of(const ProcessRequest& request, const DriverInfo& driver, Workspace& workspace,
                     const Cancellation& cancellation) {
  return driver.plan(request, request.model, workspace, cancellation);
}

// The output of the engine's program for --help and the like. Nothing is kept.
Result<ProcessOutcome> ask(const ProcessRequest& request, const DriverInfo& driver,
                           const Cancellation& cancellation) {
  std::error_code ignored;
  const std::string temporary = std::filesystem::temp_directory_path(ignored).string();
  PLANEX_ASSIGN(const OutputFolder folder, OutputFolder::open(temporary));
  PLANEX_ASSIGN(
      const auto workspace,
      open_workspace(folder.staging(), {request.launcher, request.launcher_timeout}, cancellation));
  PLANEX_ASSIGN(const Plan plan, plan_of(request, driver, *workspace, cancellation));
  ProcessOutcome outcome;
  const Step& step = plan.steps.front();
  SubprocessRequest subprocess;
  subprocess.arguments = step.words;
  subprocess.timeout = request.timeout;
  subprocess.on_stdout = [&](std::string_view chunk) { outcome.text += chunk; };
  PLANEX_ASSIGN(SubprocessOutcome ended, workspace->run(subprocess, cancellation));
  if (ended.ending != Ending::kExited || ended.exit_code != 0) {
    return fail(driver.explain(
        request,
        {.step = step, .outcome = std::move(ended), .phase = "start", .output = outcome.text}));
  }
  return outcome;
}

}  // namespace

bool is_question(const ProcessRequest& request) {
  return std::ranges::any_of(request.flags, [](const std::string& flag) {
    return flag == "--help" || flag == "--version";
  });
}

std::string engine_name(std::string_view model) {
  const std::string_view file = base::file_name_of(model);
  const std::size_t dot = file.rfind('.');
  return std::string(dot == std::string_view::npos || dot == 0 ? file : file.substr(0, dot));
}

Result<std::string_view> driver_script(std::string_view engine) {
  PLANEX_ASSIGN(const DriverInfo* driver, find_driver(engine));
  if (driver->script != nullptr) return driver->script();
  return fail(ErrorCode::kUsage, base::format("{} is not driven by a script", driver->label));
}

Result<std::vector<std::string>> planned_commands(const ProcessRequest& request,
                                                  const Cancellation& cancellation) {
  PLANEX_ASSIGN(const DriverInfo* driver, find_driver(request.engine));
  PLANEX_ASSIGN(const auto workspace,
                plan_workspace(request.output_dir, {request.launcher, request.launcher_timeout},
                               cancellation));
  PLANEX_ASSIGN(const Plan plan, plan_of(request, *driver, *workspace, cancellation));
  std::vector<std::string> lines;
  if (driver->script != nullptr) {
    lines.push_back(
        base::format("planex process --engine {} --print-script > {}", driver->id,
                     base::shell_word(workspace->path(base::format("planex-{}.py", driver->id)))));
  }
  const std::string log_prefix = workspace->path(engine_name(request.model));
  for (const Step& step : plan.steps) {
    std::vector<std::string> words = request.launcher;
    words.insert(words.end(), step.words.begin(), step.words.end());
    std::string line = shell_line(words);
    if (!step.log.empty())
      line += base::format(" > {} 2>&1", base::shell_word(log_prefix + step.log));
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<ProcessOutcome> process(const ProcessRequest& request, Progress& progress,
                               const Cancellation& cancellation) {
  PLANEX_ASSIGN(const DriverInfo* driver, find_driver(request.engine));
  if (is_question(request)) return ask(request, *driver, cancellation);
  return ProcessRun(request, *driver, progress, cancellation).run();
}

}  // namespace planex::drive
