// Searches some places for engines repeatedly, without reading unchanged files again.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"

namespace planex::serve {

struct FinderLimits {
  // Depth of folders; number of folders, and of files in them, that are searched in all.
  std::size_t max_depth = 16;
  std::size_t max_folders = 10'000;
  std::size_t max_files = 200'000;
  std::size_t max_engines = 10'000;
};

// A folder with engines, as of one search.
struct SeenFolder {
  std::string path;
  std::vector<base::FileEntry> files;  // by path
  std::vector<std::string> engines;    // from ingest::engine_paths
  // ingest::stem_of() of each file, and the file's index; sorted.
  std::vector<std::pair<std::string, std::size_t>> stems;

  // Fills `stems` from `files`.
  void index();
};

struct Seen {
  // In the order of the search: by depth, then by name. Folders without engines are left out. An
  // unchanged folder is the same object.
  std::vector<std::shared_ptr<const SeenFolder>> folders;
  // Which limit was reached; empty: none.
  std::string left_out;
};

class EngineFinder {
 public:
  // `files` must outlive it. Places are files and folders; hidden folders below them are not
  // searched.
  EngineFinder(const base::FileSource& files, std::vector<std::string> places,
               const FinderLimits& limits = {});

  // `stop` is called between folders; a stopped search is incomplete.
  // Cost: the first search reads the start of every file; others look at names and dates.
  Seen look(const std::function<bool()>& stop = {});

 private:
  using Folders = std::map<std::string, std::shared_ptr<const SeenFolder>>;

  std::shared_ptr<const SeenFolder> look_at(const std::string& folder,
                                            const std::vector<std::string>& named);

  const base::FileSource& files_;
  std::vector<std::string> places_;
  FinderLimits limits_;
  Folders known_;
};

}  // namespace planex::serve
