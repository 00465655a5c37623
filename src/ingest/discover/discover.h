// From what the user names (a file, a folder, a common prefix) to the files of one engine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "ingest/reader.h"
#include "model/capsule.h"

namespace planex::ingest {

// Files of a folder that are looked into. More are no run of one engine, and looking into each
// would take long.
inline constexpr std::size_t kMaxFolderFiles = 2000;

struct LoadRequest {
  // A graph file, a folder, an archive (zip, TREx's .tea) or a file in one, or a common prefix such
  // as `dir/resnet` of `dir/resnet.graph.json`.
  std::string path;
  // Files that are called something else; each replaces what would be found.
  std::optional<std::string> graph, profile, times, metadata, log, nsight, source_model, accuracy;
  // The optimization profile to show; else the first.
  std::optional<std::int64_t> profile_index;
  // Of a log of several runs: the one to show, from 1.
  std::optional<std::int64_t> run;
  // Name shown for the engine; else its file's or folder's name.
  std::optional<std::string> name;
};

struct FoundFile {
  std::string path;
  std::uint64_t size_bytes = 0;
  const ReaderInfo* reader = nullptr;  // null: not recognized
  // Why it belongs to this engine, or why it was left out.
  std::string evidence;
  // The user named it, so it goes before what a plan has.
  bool is_named = false;
  bool used = false;
  // The file that the engine is read from.
  bool is_engine = false;
  // What a log's head, or the whole of it, says of its runs.
  std::vector<LoggedRun> runs;
  // A log that only tells how the engine was built: another one is of the run that is shown.
  bool is_build_only = false;
  bool is_archive = false;
  // What it must be, where it is a member of a capsule.
  std::optional<model::CapsuleFile> member;
  // Why nobody knows what it is: it can't be opened, or it is damaged from the start.
  std::optional<Error> unreadable;
};

struct Discovery {
  // Used ones in reading order, then the others by path.
  std::vector<FoundFile> files;
  std::string engine_name;
  // The user gave the name, so it goes before one that a file gives.
  bool is_name_given = false;
  std::optional<std::int64_t> profile_index;
  std::optional<std::int64_t> run;
  // Where the files are, if not in the source that was looked at: an archive. It needs that source.
  std::shared_ptr<const base::FileSource> source;
  // What a stream at the path brought, which `source` may need.
  std::shared_ptr<const base::FileSource> stream;
  // What was odd about it.
  std::vector<model::DiagnosticFacts> remarks;
};

// Errors: kNotFound (nothing there), kBadInput (nothing readable as an engine there, or a damaged
// archive), kUnsupported (an encrypted archive), kUsage (several engines there: the message lists
// them).
Result<Discovery> discover(const LoadRequest& request, const base::FileSource& source);

// What there is to open at a path, each as discover() takes it: the folder, the file or the archive
// itself where it is one engine, else its engines' files; of a folder also the archives directly in
// it that have engines. Empty: nothing there is an engine. Folders in folders are not looked into.
// Whether an engine can be read is not known before it is.
// Errors: kNotFound, those of an archive that the path names.
Result<std::vector<std::string>> engine_paths(const std::string& path,
                                              const base::FileSource& source);
// Archives above this size are no engines' files, and are not looked into unless they are named.
inline constexpr std::uint64_t kMaxArchiveBytes = std::uint64_t{1} << 30;

}  // namespace planex::ingest
