// Looks for engines below some places, again and again: what did not change is not read again.
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
  // Folders in folders; folders, and files in them, that are looked at in all.
  std::size_t max_depth = 16;
  std::size_t max_folders = 10'000;
  std::size_t max_files = 200'000;
  std::size_t max_engines = 10'000;
};

// A folder with engines, as it was at one look.
struct SeenFolder {
  std::string path;
  std::vector<base::FileEntry> files;  // by path
  std::vector<std::string> engines;    // as ingest::engine_paths gives them
  // ingest::stem_of each file, and the file's index; sorted.
  std::vector<std::pair<std::string, std::size_t>> stems;

  // Makes `stems` of `files`.
  void index();
};

struct Seen {
  // In the order in which they were met: by depth, then by name. Those without engines are left
  // out. A folder that did not change is the same object.
  std::vector<std::shared_ptr<const SeenFolder>> folders;
  // Which limit was reached; empty: none.
  std::string left_out;
};

class EngineFinder {
 public:
  // `files` must outlive it. Places are files and folders; hidden folders below them are not looked
  // into.
  EngineFinder(const base::FileSource& files, std::vector<std::string> places,
               const FinderLimits& limits = {});

  // `stop` is asked between folders; what it ends is half done.
  // Cost: of the first look the start of every file; of the others a look at names and dates.
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
