// A temporary file, for libraries that only write to a path; and a temporary folder, for programs
// that exchange files.
#pragma once

#include <string>
#include <string_view>

#include "planex/error.h"

namespace planex::base {

class ScratchFile {
 public:
  // An empty file in the system's folder for temporary files, readable to this user only.
  // Errors: kIo; file is set.
  static Result<ScratchFile> create(std::string_view ending);
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&&) = delete;
  ~ScratchFile();  // removes it

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFile(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

class ScratchFolder {
 public:
  // An empty folder in the system's one for temporary files, open to this user only.
  // Errors: kIo; file is set.
  static Result<ScratchFolder> create();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();  // removes it with all its contents

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace planex::base
