#include "drive/sweep.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/availability.h"
#include "drive/json_field.h"
#include "drive/model_files.h"
#include "drive/run_lock.h"
#include "drive/sha256.h"

namespace planex::drive {
namespace {

using base::format;

// Environment variables that reach the engines and change kernels or speed.
constexpr std::array<const char*, 5> kOutsideVariables = {
    "CUDA_VISIBLE_DEVICES", "LD_PRELOAD", "OMP_NUM_THREADS", "ONEDNN_DEFAULT_FPMATH_MODE",
    "ONEDNN_MAX_CPU_ISA"};

// What is known about an engine's program before it runs: a new version means that everything is
// measured again.
std::string version_line(ProcessRequest request, const Cancellation& cancellation) {
  if (request.engine == "trtexec") return {};  // it has no --version; its file is hashed
  class Silence final : public Progress {
    void update(std::string_view, std::string_view, double) override {}
  } silence;
  request.flags = {"--version"};
  request.shapes.clear();
  request.threads.reset();
  request.precision.reset();
  const auto answer = process(request, silence, cancellation);
  return answer ? std::string(base::trimmed(answer->text)) : std::string();
}

std::string hash_of(const std::string& path, const Cancellation& cancellation) {
  if (base::disk().kind(path) != base::PathKind::kFile) return {};
  const auto digest = digest_file(path, cancellation);
  return digest ? digest->sha256 : std::string();
}

// Hashes of the model's files and of the engines, each computed once.
class Inputs {
 public:
  Inputs(const ProcessRequest& request, const Cancellation& cancellation)
      : cancellation_(cancellation) {
    model_.emplace_back(base::file_name_of(request.model), hash_of(request.model, cancellation));
    const std::string_view folder = base::folder_of(request.model);
    for (const std::string& file : model_data_files(request.model)) {
      model_.emplace_back(file, hash_of(base::join_path(folder, file), cancellation));
    }
  }

  std::string json_of(const ProcessRequest& request) {
    rapidjson::StringBuffer buffer;
    JsonFileWriter json(buffer);
    json.SetIndent(' ', 0);
    json.StartObject();
    json.Key("model");
    json.StartObject();
    for (const auto& [name, hash] : model_) write_field(json, name.c_str(), hash);
    json.EndObject();
    write_field(json, "engine", request.engine);
    write_field(json, "engine_version", version_of(request));
    write_field(json, "program", request.program);
    write_field(json, "program_sha256", program_hash(request));
    // A Python that was given applies only to engines that are driven by one.
    write_field(json, "python", is_python_driven(request.engine) ? request.python : std::string());
    list(json, "launcher", request.launcher);
    list(json, "shapes", request.shapes);
    write_field(json, "threads", request.threads.value_or(""));
    write_field(json, "precision", request.precision.value_or(""));
    list(json, "flags", request.flags);
    write_field(json, "clocks",
                request.clock_mhz      ? format("{} MHz", *request.clock_mhz)
                : request.locks_clocks ? std::string("locked")
                                       : std::string());
    json.Key("environment");
    json.StartObject();
    for (const char* name : kOutsideVariables) {
      const char* value = std::getenv(name);
      if (value != nullptr) write_field(json, name, value);
    }
    json.EndObject();
    json.EndObject();
    return {buffer.GetString(), buffer.GetSize()};
  }

 private:
  static void list(JsonFileWriter& json, const char* key, const std::vector<std::string>& texts) {
    json.Key(key);
    json.StartArray();
    for (const std::string& text : texts) write_text(json, text);
    json.EndArray();
  }

  static bool is_python_driven(std::string_view engine) {
    const auto driver = std::ranges::find(drivers(), engine, &DriverInfo::id);
    return driver != drivers().end() && driver->script != nullptr;
  }

  const std::string& version_of(const ProcessRequest& request) {
    const auto [found, is_new] = versions_.try_emplace(request.engine);
    if (is_new) found->second = version_line(request, cancellation_);
    return found->second;
  }

  // The hash of a given program, or of trtexec on the PATH, if it is on this machine.
  std::string program_hash(const ProcessRequest& request) {
    if (!request.launcher.empty()) return {};
    std::string path = request.program;
    if (path.empty() && request.engine == "trtexec") {
      const char* search = std::getenv("PATH");
      path = find_program(search == nullptr ? "" : search, "trtexec").value_or("");
    }
    if (path.empty()) return {};
    const auto [found, is_new] = programs_.try_emplace(path);
    if (is_new) found->second = hash_of(path, cancellation_);
    return found->second;
  }

  const Cancellation& cancellation_;
  std::vector<std::pair<std::string, std::string>> model_;
  std::map<std::string, std::string> versions_, programs_;
};

// The order of a round, the same with every standard library: neighbours of the grid are not
// neighbours in time, so a drift within a round does not make a slope along an axis.
std::vector<std::size_t> order_of_round(std::size_t cells, int round) {
  std::vector<std::size_t> order(cells);
  for (std::size_t i = 0; i < cells; ++i) order[i] = i;
  std::mt19937_64 random(static_cast<std::uint64_t>(round));
  for (std::size_t i = cells; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

Result<void> check_sweep_folder(const ProcessRequest& request) {
  const std::string path = base::join_path(request.output_dir, kSweepFile);
  if (base::disk().kind(path) != base::PathKind::kFile) return {};
  PLANEX_ASSIGN(const auto bytes, base::disk().read(path));
  const std::string before = model_in_sweep(bytes->view());
  if (before.empty() || engine_name(before) == engine_name(request.model)) return {};
  return fail({.code = ErrorCode::kUsage,
               .message = format("the folder contains a sweep of another model, {}",
                                 base::quoted(engine_name(before))),
               .file = request.output_dir,
               .hint = "use one folder per model: -o DIR"});
}

RunStanding standing_of(const std::string& folder, const std::string& inputs_json) {
  const auto bytes = base::disk().read(base::join_path(folder, kRunFile));
  if (!bytes) return RunStanding::kPending;
  const auto state = run_state((*bytes)->view());
  if (!state) return RunStanding::kPending;
  if (state->inputs_sha256 != sha256_of(inputs_json)) return RunStanding::kChanged;
  return state->is_done ? RunStanding::kDone : RunStanding::kFailed;
}

std::size_t count_other_cells(const std::string& folder, std::span<const GridCell> cells) {
  const auto folders = base::disk().list_folders(base::join_path(folder, "cells"));
  if (!folders) return 0;
  std::set<std::string_view> known;
  for (const GridCell& cell : cells) known.insert(cell.id);
  return static_cast<std::size_t>(std::ranges::count_if(*folders, [&](const std::string& path) {
    return !known.contains(base::file_name_of(path));
  }));
}

// Unfinished files left by a program that was killed.
void remove_leftovers(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with(".planex-")) {
      std::filesystem::remove_all(entry.path(), ignored);
    }
  }
}

Result<std::vector<const PlannedRun*>> runs_called(const SweepPlan& plan,
                                                   const std::vector<std::string>& ids) {
  std::vector<const PlannedRun*> runs;
  for (const std::string& id : ids) {
    const auto found = std::ranges::find(plan.runs, id, &PlannedRun::id);
    if (found == plan.runs.end()) {
      return fail(ErrorCode::kUsage, format("the sweep has no run {}", base::quoted(id)),
                  "--list-runs lists them");
    }
    runs.push_back(&*found);
  }
  return runs;
}

// A failed run leaves no folder, but its error needs one.
Result<void> make_folder(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (!code) return {};
  return fail({.code = ErrorCode::kIo,
               .message = format("can't make the folder: {}", code.message()),
               .file = path});
}

Result<void> write_record(const std::string& folder, const RunRecord& record) {
  if (record.error) PLANEX_TRY(make_folder(folder));
  return base::write_file_atomically(base::join_path(folder, kRunFile), run_json(record));
}

class SweepRunner {
 public:
  SweepRunner(const SweepPlan& plan, SweepProgress& progress, const Cancellation& cancellation)
      : plan_(plan), progress_(progress), cancellation_(cancellation) {}

  Result<SweepOutcome> run(std::span<const PlannedRun* const> runs) {
    std::vector<const PlannedRun*> to_do;
    for (const PlannedRun* run : runs) {
      const bool is_done = run->standing == RunStanding::kDone && !plan_.request.is_fresh;
      is_done ? static_cast<void>(++outcome_.kept) : to_do.push_back(run);
    }
    for (std::size_t i = 0; i < to_do.size(); ++i) {
      if (failed_cells_.contains(to_do[i]->cell)) {
        ++outcome_.skipped;
        continue;
      }
      progress_.begin_run(plan_, *to_do[i], i, to_do.size());
      PLANEX_TRY(run_one(*to_do[i]));
    }
    return std::move(outcome_);
  }

 private:
  Result<void> run_one(const PlannedRun& run) {
    const GridCell& cell = plan_.cells[run.cell];
    ProcessRequest request = cell.request;
    request.output_dir = run_folder(plan_.request.process.output_dir, cell.id, run.run);
    // Files that another sweep is making would look like leftovers.
    PLANEX_ASSIGN(const RunLock lock, RunLock::take(request.output_dir));
    remove_leftovers(request.output_dir);
    auto done = process(request, progress_, cancellation_);
    if (!done && (done.error().code == ErrorCode::kCancelled || cancellation_.requested())) {
      return fail(done.error());
    }
    RunRecord record{
        .cell = cell.id, .run = run.run, .inputs_json = run.inputs_json, .engine = {}, .error = {}};
    if (done) {
      record.engine = base::file_name_of(done->engine);
      ++outcome_.finished;
      for (std::string& note : done->notes) {
        if (noted_.insert(note).second) outcome_.notes.push_back(std::move(note));
      }
    } else {
      record.error = done.error();
      ++outcome_.failed;
      failed_cells_.insert(run.cell);
      if (!outcome_.first_error) outcome_.first_error = done.error();
    }
    PLANEX_TRY(write_record(request.output_dir, record));
    progress_.end_run(run, record.error ? &*record.error : nullptr);
    return {};
  }

  const SweepPlan& plan_;
  SweepProgress& progress_;
  const Cancellation& cancellation_;
  SweepOutcome outcome_;
  std::set<std::size_t> failed_cells_;
  std::set<std::string> noted_;
};

}  // namespace

std::string_view to_string(RunStanding standing) {
  switch (standing) {
    case RunStanding::kPending:
      return "pending";
    case RunStanding::kDone:
      return "done";
    case RunStanding::kFailed:
      return "failed";
    case RunStanding::kChanged:
      return "changed";
  }
  return {};
}

Result<SweepPlan> plan_sweep(const SweepRequest& request, const Cancellation& cancellation) {
  const ProcessRequest& process = request.process;
  if (base::disk().kind(process.model) != base::PathKind::kFile && process.launcher.empty()) {
    return fail({.code = ErrorCode::kNotFound,
                 .message = "there is no such model file",
                 .file = process.model});
  }
  PLANEX_TRY(check_sweep_folder(process));
  SweepPlan plan{.request = request, .cells = {}, .runs = {}};
  PLANEX_ASSIGN(plan.cells, grid_cells(process, request.axes));
  Inputs inputs(process, cancellation);
  std::vector<std::string> jsons;
  for (const GridCell& cell : plan.cells) jsons.push_back(inputs.json_of(cell.request));
  for (int round = 1; round <= request.repeats; ++round) {
    for (const std::size_t cell : order_of_round(plan.cells.size(), round)) {
      const std::string& id = plan.cells[cell].id;
      plan.runs.push_back(
          {.cell = cell,
           .run = round,
           .id = format("{}/{}", id, round),
           .inputs_json = jsons[cell],
           .standing = standing_of(run_folder(process.output_dir, id, round), jsons[cell])});
    }
  }
  plan.other_cells = count_other_cells(process.output_dir, plan.cells);
  if (cancellation.requested()) return fail(ErrorCode::kCancelled, "stopped; nothing was written");
  std::error_code code;
  std::filesystem::create_directories(process.output_dir.empty() ? "." : process.output_dir, code);
  PLANEX_TRY(
      base::write_file_atomically(base::join_path(process.output_dir, kSweepFile),
                                  sweep_json(process, request.axes, plan.cells, request.repeats)));
  return plan;
}

Result<SweepOutcome> run_sweep(const SweepPlan& plan, const std::vector<std::string>& only,
                               SweepProgress& progress, const Cancellation& cancellation) {
  PLANEX_ASSIGN(auto runs, runs_called(plan, only));
  if (only.empty()) {
    for (const PlannedRun& run : plan.runs) runs.push_back(&run);
  }
  return SweepRunner(plan, progress, cancellation).run(runs);
}

Result<void> record_failure(const SweepPlan& plan, const std::vector<std::string>& only,
                            const std::string& message) {
  PLANEX_ASSIGN(const auto runs, runs_called(plan, only));
  for (const PlannedRun* run : runs) {
    const std::string& cell = plan.cells[run->cell].id;
    PLANEX_TRY(
        write_record(run_folder(plan.request.process.output_dir, cell, run->run),
                     {.cell = cell,
                      .run = run->run,
                      .inputs_json = run->inputs_json,
                      .engine = {},
                      .error = Error{.code = ErrorCode::kExternalTool, .message = message}}));
  }
  return {};
}

}  // namespace planex::drive
