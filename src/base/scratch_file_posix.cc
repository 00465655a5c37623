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
namespace {

std::string temporary_path(std::string_view ending) {
  std::error_code code;
  std::filesystem::path folder = std::filesystem::temp_directory_path(code);
  // A container may lack such a folder.
  if (code) folder = std::filesystem::is_directory("/tmp", code) ? "/tmp" : ".";
  return join_path(folder.string(), format("planex-XXXXXX{}", ending));
}

Failure not_made(std::string_view what, const std::string& path) {
  return fail({.code = ErrorCode::kIo,
               .message = format("can't make a temporary {}: {}", what, std::strerror(errno)),
               .file = path,
               .hint = "set TMPDIR to another folder"});
}

}  // namespace

Result<ScratchFile> ScratchFile::create(std::string_view ending) {
  std::string path = temporary_path(ending);
  const int file = ::mkstemps(path.data(), static_cast<int>(ending.size()));
  if (file < 0) return not_made("file", path);
  ::close(file);
  return ScratchFile(std::move(path));
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}

ScratchFile::~ScratchFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

Result<ScratchFolder> ScratchFolder::create() {
  std::string path = temporary_path({});
  if (::mkdtemp(path.data()) == nullptr) return not_made("folder", path);
  return ScratchFolder(std::move(path));
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace planex::base
