// Drivers: what turns a model into artefacts (files) with an inference engine, in subprocesses.
//
// A driver never touches the data model: its files re-enter through ingest, so every run can be
// looked at again without the device that made it.
// Files: docs/reference/openvino-artefacts.md.
#ifndef PLANEX_DRIVE_DRIVER_H_
#define PLANEX_DRIVE_DRIVER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drive/cancellation.h"
#include "planex/error.h"

namespace planex::drive {

struct ProcessRequest {
  std::string model;
  std::string output_dir;  // Made where missing; empty: the current folder.
  std::string engine = "openvino";
  // Words put before every command, as {"ssh", "host"}. The device's machine must see the same
  // paths; the model may be there only.
  std::vector<std::string> launcher;
  // For the engine's own program, as they are.
  std::vector<std::string> flags;
  // Where planex's helper programs are: the folder of the running executable.
  std::string program_dir;
};

// What is being done. Called from the thread that called process().
class Progress {
 public:
  virtual ~Progress() = default;
  // `phase`: read, compile, warmup, time, profile, write. `done`: 0 to 1 of that phase.
  virtual void update(std::string_view engine, std::string_view phase, double done) = 0;
};

struct Artefact {
  std::string kind;  // graph, profile, times
  std::string path;
  std::uint64_t size_bytes = 0;
  std::string sha256;  // 64 hexadecimal digits.
};

struct ProcessOutcome {
  std::string name;  // Of the engine: the model file's name without its extension.
  std::vector<Artefact> artefacts;
  std::string manifest;  // Path.
  // What the user should know: a dynamic batch was set to 1, there are no times per layer, ...
  std::vector<std::string> notes;
  // Flags with --help or --version: what the engine's program printed. Nothing else was done then.
  std::string text;
};

// Runs the engine and puts all its files into the output folder, or none. Files of the same names
// are replaced, others stay. manifest.json is put there last.
// Errors: kUsage (unknown engine or flag), kNotFound, kBadInput, kUnsupported, kExternalTool, kIo,
//         kCancelled.
Result<ProcessOutcome> process(const ProcessRequest& request, Progress& progress,
                               const Cancellation& cancellation);

// The commands that process() would run, as argument vectors. Errors: kUsage, kNotFound.
Result<std::vector<std::vector<std::string>>> planned_commands(const ProcessRequest& request);

// What a driver hands back beside the files it wrote.
struct EngineRun {
  std::string result_json;  // For the manifest: versions, device, settings.
  std::vector<std::string> notes;
};

// One row of the table of drivers.
struct DriverInfo {
  std::string_view id;
  std::string_view label;
  std::string_view summary;
  Result<std::vector<std::vector<std::string>>> (*commands)(const ProcessRequest& request,
                                                            const std::string& out_prefix);
  Result<EngineRun> (*run)(const ProcessRequest& request, const std::string& out_prefix,
                           Progress& progress, const Cancellation& cancellation);
};

std::span<const DriverInfo> drivers();

// "models/a.b.onnx" -> "a.b".
std::string engine_name(std::string_view model);

}  // namespace planex::drive

#endif  // PLANEX_DRIVE_DRIVER_H_
