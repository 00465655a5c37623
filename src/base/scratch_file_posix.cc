#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/scratch_file.h"
#include "base/text.h"

namespace planex::base {

Result<ScratchFile> ScratchFile::create(std::string_view ending) {
  std::error_code code;
  std::filesystem::path folder = std::filesystem::temp_directory_path(code);
  // A container may have no such folder.
  if (code) folder = std::filesystem::is_directory("/tmp", code) ? "/tmp" : ".";
  std::string path = join_path(folder.string(), format("planex-XXXXXX{}", ending));
  const int file = ::mkstemps(path.data(), static_cast<int>(ending.size()));
  if (file < 0) {
    return fail({.code = ErrorCode::kIo,
                 .message = format("can't make a temporary file: {}", std::strerror(errno)),
                 .file = path,
                 .hint = "TMPDIR names another folder for it"});
  }
  ::close(file);
  return ScratchFile(std::move(path));
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}

ScratchFile::~ScratchFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

}  // namespace planex::base
