// What a reader of one kind of file is. Readers are listed in registry.cc; each lives in the folder
// of its format and knows nothing of the others.
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
  kKernels,  // a trace of the device: what layers launch
  kSource,   // the model that the engine was made of
  kAccuracy  // how the model was quantized, and what that lost
};

enum class Confidence : std::uint8_t { kNo, kMaybe, kSure };

struct Artefact {
  std::string path;
  std::shared_ptr<const base::Bytes> bytes;
  // Of a log: another file tells of the run that is shown, which loads what this one built.
  bool is_build_only = false;
  // Of a log of several runs: the one to show, from 1; else the reader chooses.
  std::optional<std::int64_t> run;
  // The engine is read from this file: of a model, that nothing was compiled from it.
  bool is_engine = false;
  // Row of the `files` table.
  std::size_t file_row = 0;
};

// A run of a tool, as its log tells of it.
struct LoggedRun {
  // Files of the engine that it wrote, without folders.
  std::vector<std::string> written;
  // As the command line has them; empty: none.
  std::string saved_engine, loaded_engine;
  std::string version;
  // The engine is built of a model.
  bool builds = false;
  bool measures = false;
  // Known from the end of the run only.
  bool has_failed = false;
};

// A run that can be shown of a log, and what it says of itself.
struct MeasuredRun {
  // Its command exports such a file.
  bool exports_profile = false, exports_times = false;
  // Of one inference; null: it prints none.
  std::optional<double> median_ms;
};

struct MeasuredRuns {
  std::vector<MeasuredRun> runs;
  // The one that is shown unless another is asked for.
  std::size_t shown = 0;
};

// One of the documents that several runs wrote into one file, one after the other.
struct RunDocument {
  std::size_t begin = 0, size = 0;  // bytes
  // Times: median of an inference. Profile: sum over its layers.
  std::optional<double> time_ms;
};

// Whose time_ms is wanted: of files with several documents, or of all.
enum class TimedDocuments : std::uint8_t { kSeveral, kAll };

struct ReaderInfo {
  std::string_view id;        // permanent, kebab-case; value of files.kind
  std::string_view importer;  // value of engine.importer
  std::string_view label;     // for people
  Part part;
  // Whether such a file can stand alone as an engine: of the files of one engine that can, one with
  // the highest rank is read first. 0: it can't.
  int engine_rank;
  // Looks at the first kSniffBytes of a file.
  Confidence (*sniff)(std::string_view head);
  // The runs that the text, or as much of it as there is, tells of; null where such files tell of
  // none.
  std::vector<LoggedRun> (*runs)(std::string_view text);
  // Reads the whole file into the builder. Errors: kBadInput with file, pointer and offset.
  Result<void> (*read)(const Artefact& artefact, model::ModelBuilder& builder);
  // The runs of a log, in the order of LoadRequest::run; null where a file is of one run.
  MeasuredRuns (*measured_runs)(std::string_view text) = nullptr;
  // The documents of a file that several runs can have appended to; null where there is one.
  std::vector<RunDocument> (*documents)(std::string_view text, TimedDocuments timed) = nullptr;
  // Whether it reads one run of several in a text, Artefact::run.
  bool chooses_run = false;
};

// Enough to see the first record of every format.
inline constexpr std::size_t kSniffBytes = 64 * 1024;

}  // namespace planex::ingest
