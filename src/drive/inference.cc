#include "drive/inference.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/error_translation.h"
#include "drive/inference_files.h"
#include "drive/output_folder.h"
#include "drive/program_driver.h"
#include "drive/subprocess.h"

namespace planex::drive {
namespace {

constexpr std::string_view kIndexName = "samples.json";

// The hints for `planex process` name its options, which jobs don't have.
bool is_about_options(std::string_view hint) {
  return hint.find("--shape") != hint.npos || hint.find("-- --") != hint.npos;
}

Error explain_end(const SubprocessOutcome& outcome, const std::string& program,
                  std::string_view phase) {
  const auto said = find_driver_error(outcome.stderr_tail);
  const std::string file = said ? said->file : std::string();
  Error error = translate_outcome(kOpenvinoWords, outcome, program, phase, file, false);
  if (error.file.empty()) error.file = file;
  if (is_about_options(error.hint)) error.hint.clear();
  if (outcome.ending == Ending::kSignalled && outcome.signal == SIGKILL) {
    error.hint =
        "The system does this when memory runs out: free some, or look at fewer tensors at once.";
  }
  return error;
}

// One run of planex-openvino on a job: while this object lives, its files are in a folder of their
// own.
class JobRun {
 public:
  static Result<JobRun> make(std::string program) {
    // The path of the program; a bare name is looked up on start.
    if (program.find('/') != program.npos && base::disk().kind(program) != base::PathKind::kFile) {
      Error error;
      error.code = ErrorCode::kNotFound;
      error.message = "planex-openvino, which runs models, is missing";
      error.file = std::move(program);
      error.hint = "Build planex with -DPLANEX_BUILD_OPENVINO=ON.";
      return fail(std::move(error));
    }
    std::error_code code;
    std::filesystem::path temporary = std::filesystem::temp_directory_path(code);
    if (code) temporary = ".";
    PLANEX_ASSIGN(OutputFolder folder, OutputFolder::open(temporary.string()));
    return JobRun(std::move(program), std::move(folder));
  }

  // The bytes of the result. `mode`: infer or prepare.
  Result<std::shared_ptr<const base::Bytes>> run(std::string_view mode, std::string_view job,
                                                 const InferenceProgress& progress,
                                                 const Cancellation& cancellation) {
    const std::string job_file = base::join_path(folder_.staging(), "job.json");
    PLANEX_TRY(base::write_file_atomically(job_file, job));
    std::string phase = "start";
    LineSplitter lines([&](std::string_view line) {
      const auto told = parse_phase(line);
      if (!told) return;
      phase = told->phase;
      if (progress) progress(told->phase, told->done);
    });
    SubprocessRequest request;
    request.arguments = {program_, std::string(mode), job_file};
    request.on_stdout = [&](std::string_view chunk) { lines.add(chunk); };
    PLANEX_ASSIGN(const SubprocessOutcome ended, run_subprocess(request, cancellation));
    lines.finish();
    if (cancellation.requested()) {
      return fail(ErrorCode::kCancelled, "stopped; nothing was written");
    }
    if (ended.ending != Ending::kExited || ended.exit_code != 0) {
      return fail(explain_end(ended, program_, phase));
    }
    auto result = base::disk().read(result_file());
    if (!result) {
      return fail({.code = ErrorCode::kExternalTool,
                   .message = "planex-openvino finished, but its result is missing",
                   .file = program_,
                   .context = last_lines(ended.stderr_tail)});
    }
    return result;
  }

  std::string result_file() const {
    return result_file_of(base::join_path(folder_.staging(), "job.json"));
  }

 private:
  JobRun(std::string program, OutputFolder folder)
      : program_(std::move(program)), folder_(std::move(folder)) {}

  std::string program_;
  OutputFolder folder_;
};

// Moves all files of a folder into place, an index last.
Result<void> commit_all(OutputFolder& folder) {
  PLANEX_ASSIGN(const std::vector<base::FileEntry> made, base::disk().list(folder.staging()));
  std::vector<std::string> names;
  for (const base::FileEntry& entry : made) names.emplace_back(base::file_name_of(entry.path));
  std::ranges::stable_partition(names, [](const std::string& name) { return name != kIndexName; });
  return folder.commit(names, {});
}

// Errors name files by their final location.
Error with_final_path(Error error, const OutputFolder& folder) {
  if (base::folder_of(error.file) == folder.staging()) {
    error.file = folder.final_path(std::string(base::file_name_of(error.file)));
  }
  return error;
}

Result<std::optional<OutputFolder>> folder_if(bool is_wanted, const std::string& path) {
  std::optional<OutputFolder> folder;
  if (is_wanted) {
    PLANEX_ASSIGN(OutputFolder made, OutputFolder::open(path));
    folder.emplace(std::move(made));
  }
  return Result<std::optional<OutputFolder>>(std::move(folder));
}

}  // namespace

Result<InferenceResult> infer(const InferenceJob& job, const std::string& program,
                              const InferenceProgress& progress, const Cancellation& cancellation) {
  PLANEX_ASSIGN(JobRun run, JobRun::make(program));
  const bool is_storing = std::ranges::any_of(
      job.passes, [](const InferencePass& pass) { return !pass.stored.empty(); });
  PLANEX_ASSIGN(std::optional<OutputFolder> folder, folder_if(is_storing, job.output_dir));
  InferenceJob staged = job;
  if (folder) staged.output_dir = folder->staging();
  const auto bytes = run.run("infer", job_json(std::move(staged)), progress, cancellation);
  if (!bytes) {
    return fail(folder ? with_final_path(bytes.error(), *folder) : bytes.error());
  }
  PLANEX_ASSIGN(InferenceResult result, read_inference_result(**bytes, run.result_file()));
  if (result.passes.size() != job.passes.size()) {
    return fail(ErrorCode::kExternalTool,
                base::format("planex-openvino ran {} of {}", result.passes.size(),
                             base::counted(job.passes.size(), "pass", "passes")));
  }
  if (folder) {
    PLANEX_TRY(commit_all(*folder));
    for (PassResult& pass : result.passes) {
      for (StoredTensor& stored : pass.stored) {
        stored.path = folder->final_path(std::string(base::file_name_of(stored.path)));
      }
    }
  }
  return result;
}

Result<PictureResult> prepare_pictures(const PictureJob& job, const std::string& program,
                                       const InferenceProgress& progress,
                                       const Cancellation& cancellation) {
  PLANEX_ASSIGN(JobRun run, JobRun::make(program));
  PLANEX_ASSIGN(OutputFolder folder, OutputFolder::open(job.output_dir));
  const bool has_previews = !job.preview_dir.empty() && job.preview_count > 0;
  PLANEX_ASSIGN(std::optional<OutputFolder> previews, folder_if(has_previews, job.preview_dir));
  PictureJob staged = job;
  staged.output_dir = folder.staging();
  if (previews) staged.preview_dir = previews->staging();
  const auto bytes = run.run("prepare", job_json(std::move(staged)), progress, cancellation);
  if (!bytes) return fail(with_final_path(bytes.error(), folder));
  PLANEX_ASSIGN(PictureResult result, read_picture_result(**bytes, run.result_file()));
  if (previews) PLANEX_TRY(commit_all(*previews));
  PLANEX_TRY(commit_all(folder));
  return result;
}

}  // namespace planex::drive
