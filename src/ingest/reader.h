// Defines a reader of one kind of file. Readers are listed in registry.cc; each is in the folder of
// its format and knows nothing about the others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "model/builder.h"
#include "planex/error.h"

namespace planex::ingest {

// What a file contributes. An engine is read in this order.
enum class Part : std::uint8_t {
  kGraph,
  kProfile,
  kTimes,
  kMetadata,
  kLog,      // adds whatever the files before it did not have
  kKernels,  // a trace of the device: kernels that layers launch
  kSource,   // the model that the engine was made from
  kAccuracy  // how the model was quantized, and the loss in accuracy
};

enum class Confidence : std::uint8_t { kNo, kMaybe, kSure };

struct Artefact {
  std::string path;
  std::shared_ptr<const base::Bytes> bytes;
  // For a log: it covers only the build; another file has the run that is shown, which loads the
  // engine built here.
  bool is_build_only = false;
  // For a log of several runs: the one to show, from 1; by default the reader chooses.
  std::optional<std::int64_t> run;
  // The engine is read from this file. For a model this means: nothing was compiled from it.
  bool is_engine = false;
  // Row of the `files` table.
  std::size_t file_row = 0;
};

// A run of a tool, as described by its log.
struct LoggedRun {
  // Files of the engine that it wrote, without folders.
  std::vector<std::string> written;
  // As on the command line; empty: none.
  std::string saved_engine, loaded_engine;
  std::string version;
  // The engine is built from a model.
  bool builds = false;
  bool measures = false;
  // Known only from the end of the run.
  bool has_failed = false;
};

// A run of a log that can be shown, and what the log says about it.
struct MeasuredRun {
  // Its command exports such a file.
  bool exports_profile = false, exports_times = false;
  // For one inference; null: it prints none.
  std::optional<double> median_ms;
};

struct MeasuredRuns {
  std::vector<MeasuredRun> runs;
  // The one that is shown unless another is requested.
  std::size_t shown = 0;
};

// One of the documents that several runs wrote into one file, one after another.
struct RunDocument {
  std::size_t begin = 0, size = 0;  // bytes
  // For times: the median of an inference. For a profile: the sum over its layers.
  std::optional<double> time_ms;
};

// Which files need time_ms: those with several documents, or all.
enum class TimedDocuments : std::uint8_t { kSeveral, kAll };

struct ReaderInfo {
  std::string_view id;        // permanent, kebab-case; value of files.kind
  std::string_view importer;  // value of engine.importer
  std::string_view label;     // for people
  Part part;
  // Whether such a file can represent an engine by itself: of the files of one engine that can, one
  // with the highest rank is read first. 0: it can't.
  int engine_rank;
  // Looks at the first kSniffBytes of a file.
  Confidence (*sniff)(std::string_view head);
  // The runs in the text, or in the part of it that is available; null if such files never contain
  // runs.
  std::vector<LoggedRun> (*runs)(std::string_view text);
  // Reads the whole file into the builder. Errors: kBadInput with file, pointer and offset.
  Result<void> (*read)(const Artefact& artefact, model::ModelBuilder& builder);
  // The runs of a log, in the order of LoadRequest::run; null if a file contains only one run.
  MeasuredRuns (*measured_runs)(std::string_view text) = nullptr;
  // The documents of a file that several runs can append to; null if there is only one.
  std::vector<RunDocument> (*documents)(std::string_view text, TimedDocuments timed) = nullptr;
  // Whether it reads one run of several in a text, Artefact::run.
  bool chooses_run = false;
};

// Enough to see the first record in every format.
inline constexpr std::size_t kSniffBytes = 64 * 1024;

}  // namespace planex::ingest
