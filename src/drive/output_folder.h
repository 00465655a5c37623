// Puts a set of files into a folder: all, or none.
//
// Files are made in a hidden folder inside (so that renaming never crosses file systems) and
// renamed at the end. Everything made is removed unless commit() succeeds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "planex/error.h"

namespace planex::drive {

class OutputFolder {
 public:
  // Makes `path` if missing. Errors: kIo; file is set.
  static Result<OutputFolder> open(const std::string& path);

  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder();

  // The folder to make the files in.
  const std::string& staging() const { return staging_; }
  // The final path of `name`.
  std::string final_path(const std::string& name) const;

  // Renames these files of the staging folder into place, in this order, and removes `stale` ones.
  // Errors: kIo; the folder is then as it was.
  Result<void> commit(std::span<const std::string> names, std::span<const std::string> stale);

 private:
  OutputFolder() = default;

  std::string path_;
  std::string staging_;
  std::vector<std::string> made_;  // Folders that were missing, outermost first.
};

}  // namespace planex::drive
