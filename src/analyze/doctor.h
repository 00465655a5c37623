// What was found for an engine, what is missing, and the command that creates it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/summary/summary.h"
#include "planex/error.h"

namespace planex::analyze {

struct DoctorFile {
  std::string path;
  std::uint64_t size_bytes = 0;
  // What it was recognized as, for people; empty if it was not.
  std::string label;
  std::string kind;  // the reader's id
  // Why it belongs to this engine, or why it was left out.
  std::string evidence;
  bool used = false;
  std::optional<std::int64_t> record_count;
  // Records that found their layer; null where the file's records are not about layers.
  std::optional<std::int64_t> joined_count;
};

// The run that a log covers, where a log contains several.
struct DoctorRun {
  std::int64_t run = 0;
  bool is_shown = false;
  std::optional<std::int64_t> line, build_line;
  // Empty where the log does not say.
  std::string command, engine_file, outcome, shapes;
  std::optional<double> median_ms, throughput;
};

// The model that was named instead of an engine.
struct DoctorModel {
  std::string path;
  std::uint64_t size_bytes = 0;
  // How it was recognized as a model.
  std::string evidence;
};

// An engine that could run the model.
struct DoctorEngine {
  std::string id, label;
  bool is_installed = false;
  // Its version or place; else what planex looked for.
  std::string detail;
  // How to get it; empty where it is installed.
  std::string install;
  // Command that runs the model on it.
  std::string command;
};

struct DoctorReport {
  std::string path;
  std::optional<DoctorModel> model;
  std::vector<DoctorEngine> engines;  // where a model was named
  std::vector<DoctorFile> files;
  // Empty where the engine could not be read; `detail` as in engine.detail.
  std::string producer, version_evidence, detail;
  std::int64_t record_count = 0;
  std::vector<DoctorRun> runs;  // empty where the log covers only one
  std::vector<MissingPiece> missing;
  std::vector<DiagnosticGroup> diagnostics;
  // Why the engine could not be read.
  std::optional<Error> error;
};

// The runs in the log that the engine is read from, as its reader lists them in the metadata.
std::vector<DoctorRun> doctor_runs(const model::PlanModel& model);

}  // namespace planex::analyze
