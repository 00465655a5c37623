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

// How many files of a folder are examined. A folder with more is not one engine's run, and
// examining each would take long.
inline constexpr std::size_t kMaxFolderFiles = 2000;

struct LoadRequest {
  // A graph file, a folder, an archive (zip, TREx's .tea) or a file inside one, or a common prefix
  // such as `dir/resnet` for `dir/resnet.graph.json`.
  std::string path;
  // Files with other names; each replaces the file that would be found.
  std::optional<std::string> graph, profile, times, metadata, log, nsight, source_model, accuracy;
  // The optimization profile to show; default: the first.
  std::optional<std::int64_t> profile_index;
  // For a log of several runs: the one to show, from 1.
  std::optional<std::int64_t> run;
  // The name shown for the engine; default: the name of its file or folder.
  std::optional<std::string> name;
};

struct FoundFile {
  std::string path;
  std::uint64_t size_bytes = 0;
  const ReaderInfo* reader = nullptr;  // null: not recognized
  // Why it belongs to this engine, or why it was left out.
  std::string evidence;
  // The user named it, so it takes precedence over the content of a plan.
  bool is_named = false;
  bool used = false;
  // The file that the engine is read from.
  bool is_engine = false;
  // What a log's head, or the whole log, says about its runs.
  std::vector<LoggedRun> runs;
  // A log that covers only the build: another log has the run that is shown.
  bool is_build_only = false;
  bool is_archive = false;
  // Its expected content, if it is a member of a capsule.
  std::optional<model::CapsuleFile> member;
  // Why its kind is unknown: it can't be opened, or it is damaged from the start.
  std::optional<Error> unreadable;
};

struct Discovery {
  // Used files in reading order, then the others by path.
  std::vector<FoundFile> files;
  std::string engine_name;
  // The user gave the name, so it takes precedence over a name in a file.
  bool is_name_given = false;
  std::optional<std::int64_t> profile_index;
  std::optional<std::int64_t> run;
  // The source of the files if it is not the one that was searched: an archive. It needs that
  // source.
  std::shared_ptr<const base::FileSource> source;
  // The content of a stream at the path, which `source` may need.
  std::shared_ptr<const base::FileSource> stream;
  // Anything unexpected about it.
  std::vector<model::DiagnosticFacts> remarks;
};

// Errors: kNotFound (nothing there), kBadInput (nothing readable as an engine there, or a damaged
// archive), kUnsupported (an encrypted archive), kUsage (several engines there: the message lists
// them).
Result<Discovery> discover(const LoadRequest& request, const base::FileSource& source);

// What can be opened at a path, each in the form that discover() accepts: the folder, file or
// archive itself if it is one engine, otherwise the files of its engines; for a folder also the
// archives directly in it that contain engines. Empty: nothing there is an engine. Folders inside
// folders are not searched. Whether an engine is readable is only known once it is read.
// Errors: kNotFound, those of an archive that the path names.
Result<std::vector<std::string>> engine_paths(const std::string& path,
                                              const base::FileSource& source);
// Larger archives don't contain an engine's files, and are only opened if they are named.
inline constexpr std::uint64_t kMaxArchiveBytes = std::uint64_t{1} << 30;

}  // namespace planex::ingest
