// Drivers: they turn a model into artefacts (files) with an inference engine, in subprocesses.
//
// A driver never touches the data model: its files come back in through ingest, so every run can be
// examined again without the device that made it.
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
#include "planex/options.h"

namespace planex::drive {

// clang-format off
#define PLANEX_PROCESS_OPTIONS(OPTION)                                                            \
  OPTION(std::string, model, {}, "model", "MODEL",                                                \
         "The model, as ONNX; behind a launcher it may be on that machine only",                  \
         .reads = true, .is_argument = true)                                                      \
  OPTION(std::string, output_dir, {}, "output", "DIR",                                            \
         "Write the files to DIR, which is made if it is missing", .for_programs = true)          \
  OPTION(std::string, engine, "openvino", "engine", "ENGINE",                                     \
         "The engine to build with", .for_programs = true)                                        \
  OPTION(std::vector<std::string>, shapes, {}, "shape", "NAME=1x3x8x8",                           \
         "Shape of an input; once per input")                                                     \
  OPTION(std::optional<std::string>, threads, {}, "threads", "N", "Threads per inference [1]")    \
  OPTION(std::optional<std::string>, precision, {}, "precision", "TYPE",                          \
         "Precision of what the model does not quantize: fp32, bf16 or fp16 [fp32]")              \
  OPTION(std::string, program, {}, "program", "PATH",                                             \
         "The engine's own program, such as trtexec", .reads = true, .starts = true)              \
  OPTION(std::string, python, {}, "python", "PATH",                                               \
         "The Python interpreter that has the engine's package [the one of planex's own "         \
         "environment, else python3]", .reads = true, .starts = true)                             \
  OPTION(std::optional<std::chrono::milliseconds>, timeout, {}, "timeout", "SECONDS",             \
         "Stop a program of the engine that takes longer")                                        \
  OPTION(std::vector<std::string>, launcher, {}, "launcher", "WORDS",                             \
         "Prefix of every command, such as \"ssh host\" or \"srun -n 1\"", .starts = true,         \
         .splits_words = true)                                                                    \
  OPTION(std::chrono::milliseconds, launcher_timeout,                                             \
         std::chrono::minutes(2), "launcher-timeout", "SECONDS",                                  \
         "How long the launcher can be silent before it runs anything, and while files are "      \
         "copied [120]")                                                                          \
  OPTION(std::vector<std::string>, flags, {}, "flag", "WORD",                                     \
         "A word for the engine's own program", .starts = true, .for_programs = true)             \
  OPTION(std::string, program_dir, {}, "program-dir", "DIR",                                      \
         "Where planex's helper programs are: the folder of the running program",                 \
         .for_programs = true)
// clang-format on

struct ProcessRequest {
  PLANEX_PROCESS_OPTIONS(PLANEX_MEMBER)
  // Hold the clocks while the engine runs: at this frequency, or one that clock_lock.h chooses.
  bool locks_clocks = false;
  std::optional<std::int64_t> clock_mhz;
};

// Receives progress. Called from the thread that called process().
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
  std::string name;  // The engine's name: the model file's name without its extension.
  std::vector<Artefact> artefacts;
  // The file to open the engine by: its graph, or whichever other file lists its layers.
  std::string engine;
  std::string manifest;  // Path.
  // Notes for the user: a dynamic batch was set to 1, there are no times per layer, ...
  std::vector<std::string> notes;
  // For flags with --help or --version: what the engine's program printed. Nothing else was done
  // then.
  std::string text;
};

// Runs the engine and puts all its files into the output folder, or none. Files of the same names
// are replaced, files of an earlier run that this run does not write are removed, and others stay.
// manifest.json is put there last. If an engine's program fails and keeps a log, that log stays
// there as NAME.failed.log and the error names it; the next run that succeeds removes it.
// Errors: kUsage (unknown engine or flag), kNotFound, kBadInput, kUnsupported, kExternalTool, kIo,
//         kCancelled.
Result<ProcessOutcome> process(const ProcessRequest& request, Progress& progress,
                               const Cancellation& cancellation);

// Shell lines that do what process() would. Programs are asked for their version.
// Errors: kUsage, kNotFound, kExternalTool, kCancelled.
Result<std::vector<std::string>> planned_commands(const ProcessRequest& request,
                                                  const Cancellation& cancellation);

// The script that drives an engine of a Python package; a usage error if it has none.
Result<std::string_view> driver_script(std::string_view engine);

// "models/a.b.onnx" -> "a.b".
std::string engine_name(std::string_view model);

// --- What a driver is
// -----------------------------------------------------------------------------

// One program that runs.
struct Step {
  std::vector<std::string> words;
  // The phase of Progress. If the program reports its phases itself, those count.
  std::string phase;
  // Name of the file that receives everything the program prints. Empty: the program prints its
  // phases, and is expected to write result.json at the end.
  std::string log;
};

struct Plan {
  std::vector<Step> steps;
  // For the manifest: versions, settings. Empty: the program writes it.
  std::string result_json;
  std::vector<std::string> notes;
};

// How a failed step ended.
struct StepFailure {
  const Step& step;
  SubprocessOutcome outcome;
  std::string phase;
  std::string output;  // The end of its output.
};

// One row of the table of drivers.
struct DriverInfo {
  std::string_view id;
  std::string_view label;
  std::string_view summary;
  // `model`: as the programs see it. File names are `name` plus an ending of artefact_kinds().
  Result<Plan> (*plan)(const ProcessRequest& request, const std::string& model,
                       Workspace& workspace, const Cancellation& cancellation);
  Error (*explain)(const ProcessRequest& request, const StepFailure& failure);
  // The script that drives it; empty: none.
  std::string_view (*script)() = nullptr;
};

std::span<const DriverInfo> drivers();

// Everything that drivers write, in the order of the manifest.
struct ArtefactKind {
  std::string_view id;
  std::string_view ending;  // ".graph.json"
};
std::span<const ArtefactKind> artefact_kinds();

// A question to the engine's program that needs no model: --help, --version.
bool is_question(const ProcessRequest& request);

}  // namespace planex::drive
