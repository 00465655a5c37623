#include "drive/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/text.h"

namespace planex::drive {
namespace {

// The previous owner may have removed the file after it was opened here.
bool is_still_there(int descriptor, const std::string& path) {
  struct stat opened{}, there{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

}  // namespace

Result<RunLock> RunLock::take(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::string path = base::join_path(folder, ".run-lock");
  while (true) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (descriptor < 0) {
      return fail({.code = ErrorCode::kIo,
                   .message = base::format("can't write here: {}", std::strerror(errno)),
                   .file = folder});
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      ::close(descriptor);
      return fail({.code = ErrorCode::kUsage,
                   .message = "another sweep is making this run",
                   .file = folder,
                   .hint = "Wait until it has ended and run the command again, or choose another "
                           "folder: -o FOLDER."});
    }
    if (is_still_there(descriptor, path)) return RunLock(descriptor, std::move(path));
    ::close(descriptor);
  }
}

RunLock::RunLock(RunLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

RunLock::~RunLock() {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace planex::drive
