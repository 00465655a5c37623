// Drivers: what turns a model into artefacts (files) with an inference engine, in subprocesses.
//
// A driver never touches the data model: its files re-enter through ingest, so every run can be
// looked at again without the device that made it.
// Files: docs/reference/drivers.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drive/cancellation.h"
#include "drive/workspace.h"
#include "planex/error.h"

namespace planex::drive {

struct ProcessRequest {
  std::string model;
  std::string output_dir;  // Made where missing; empty: the current folder.
  std::string engine = "openvino";
  // Words put before every command, as {"ssh", "host"}. Files go in and out through it, unless it
  // sees planex's own. The model may be on that machine only.
  std::vector<std::string> launcher;
  // How long the launcher may be silent where an answer is due: while it starts a shell, and while
  // files are copied. A program that runs is under `timeout` instead.
  std::chrono::milliseconds launcher_timeout = std::chrono::minutes(2);
  // Hold the clocks while the engine runs: at this frequency, or one that clock_lock.h chooses.
  bool locks_clocks = false;
  std::optional<std::int64_t> clock_mhz;
  // Of an input each, "NAME=1x3x224x224"; and what else most engines know.
  std::vector<std::string> shapes;
  std::optional<std::string> threads, precision;
  // For the engine's own program, as they are.
  std::vector<std::string> flags;
  // The engine's program (trtexec), where it is not the one on the PATH; and the Python that has
  // the engine's package.
  std::string program, python;
  // For each of the engine's programs.
  std::optional<std::chrono::milliseconds> timeout;
  // Where planex's helper programs are: the folder of the running executable.
  std::string program_dir;
};

// What is being done. Called from the thread that called process().
class Progress {
 public:
  virtual ~Progress() = default;
  // `phase`: read, compile, warmup, time, throughput, profile, write. `done`: 0 to 1 of that phase.
  virtual void update(std::string_view engine, std::string_view phase, double done) = 0;
};

struct Artefact {
  std::string kind;  // graph, profile, times, ...: artefact_kinds()
  std::string path;
  std::uint64_t size_bytes = 0;
  std::string sha256;  // 64 hexadecimal digits.
};

struct ProcessOutcome {
  std::string name;  // Of the engine: the model file's name without its extension.
  std::vector<Artefact> artefacts;
  // The file to open the engine by: its graph, or what else tells its layers.
  std::string engine;
  std::string manifest;  // Path.
  // What the user should know: a dynamic batch was set to 1, there are no times per layer, ...
  std::vector<std::string> notes;
  // Flags with --help or --version: what the engine's program printed. Nothing else was done then.
  std::string text;
};

// Runs the engine and puts all its files into the output folder, or none. Files of the same names
// are replaced; those of an earlier run that this one does not have are removed, others stay.
// manifest.json is put there last. Of an engine's program that fails and keeps a log
// NAME.failed.log is left there, which the error names; the next run that does not fail removes it.
// Errors: kUsage (unknown engine or flag), kNotFound, kBadInput, kUnsupported, kExternalTool, kIo,
//         kCancelled.
Result<ProcessOutcome> process(const ProcessRequest& request, Progress& progress,
                               const Cancellation& cancellation);

// Lines of a shell that do what process() would. Programs are asked for their version.
// Errors: kUsage, kNotFound, kExternalTool, kCancelled.
Result<std::vector<std::string>> planned_commands(const ProcessRequest& request,
                                                  const Cancellation& cancellation);

// The script that an engine of a Python package is driven by; a usage error where it is none.
Result<std::string_view> driver_script(std::string_view engine);

// "models/a.b.onnx" -> "a.b".
std::string engine_name(std::string_view model);

// --- What a driver is
// -----------------------------------------------------------------------------

// One program that runs.
struct Step {
  std::vector<std::string> words;
  // Of Progress; where the program tells its phases itself, those count.
  std::string phase;
  // The name of the file for all that it prints. Empty: it prints its phases, and is to write
  // result.json at the end.
  std::string log;
};

struct Plan {
  std::vector<Step> steps;
  // For the manifest: versions, settings. Empty: the program writes it.
  std::string result_json;
  std::vector<std::string> notes;
};

// How a step ended that did not end well.
struct StepFailure {
  const Step& step;
  SubprocessOutcome outcome;
  std::string phase;
  std::string output;  // The end of what it printed.
};

// One row of the table of drivers.
struct DriverInfo {
  std::string_view id;
  std::string_view label;
  std::string_view summary;
  // `model`: as the programs see it. Files are called `name` and an ending of artefact_kinds().
  Result<Plan> (*plan)(const ProcessRequest& request, const std::string& model,
                       Workspace& workspace, const Cancellation& cancellation);
  Error (*explain)(const ProcessRequest& request, const StepFailure& failure);
  // The script it is driven by; empty: none.
  std::string_view (*script)() = nullptr;
};

std::span<const DriverInfo> drivers();

// All that drivers write, in this order in the manifest.
struct ArtefactKind {
  std::string_view id;
  std::string_view ending;  // ".graph.json"
};
std::span<const ArtefactKind> artefact_kinds();

// The user's question to the engine's program that needs no model: --help, --version.
bool is_question(const ProcessRequest& request);

}  // namespace planex::drive
