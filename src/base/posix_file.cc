#include "base/posix_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "base/text.h"
#include "base/try.h"

namespace planex::base {
FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Error errno_error(ErrorCode code, std::string_view doing, const std::string& path) {
  return {.code = code, .message = format("{}: {}", doing, std::strerror(errno)), .file = path};
}

Result<std::shared_ptr<const Bytes>> copy_file(int fd, const struct stat& info,
                                               const std::string& path) {
  const auto size = static_cast<std::uint64_t>(std::max<off_t>(info.st_size, 0));
  // Pipes and files of /proc say size 0, so read until the end, whatever the size says.
  const std::uint64_t most = std::max(size, kMaxStreamBytes);
  // In a web page, sizes of what is in memory have 32 bits.
  if (most >= std::numeric_limits<std::size_t>::max()) {
    return fail({.code = ErrorCode::kUnsupported,
                 .message = format("has {} GiB: more than fits into a page", size >> 30),
                 .file = path,
                 .hint = "use planex in a terminal"});
  }
  PLANEX_ASSIGN(std::string content, read_up_to(fd, path, static_cast<std::size_t>(most + 1),
                                                static_cast<std::size_t>(size)));
  if (content.size() > most) {
    return fail({.code = ErrorCode::kUnsupported,
                 .message = format("has more than {} GiB and does not end", kMaxStreamBytes >> 30),
                 .file = path,
                 .hint = "save it as a file, and pass that"});
  }
  struct stat now{};
  if (content.size() < size && ::fstat(fd, &now) == 0 && now.st_size < info.st_size) {
    return fail(changed_error(path));
  }
  return adopt_bytes(std::move(content));
}

Result<std::string> read_up_to(int fd, const std::string& path, std::size_t limit,
                               std::size_t expected) {
  std::string content;
  // A sparse file can claim any size; missing parts are not read. Memory that is reserved and not
  // written costs nothing, growing does.
  constexpr std::size_t kMaxReserved = kMaxStreamBytes;
  content.reserve(std::min(expected, kMaxReserved) + Bytes::kPadding);
  constexpr std::size_t kStep = 1 << 16;
  while (content.size() < limit) {
    const std::size_t before = content.size();
    const std::size_t room = content.capacity() - before;
    const std::size_t step = std::min(room > 0 ? room : kStep, limit - before);
    ssize_t count = 0;
    content.resize_and_overwrite(before + step, [&](char* data, std::size_t) {
      count = ::read(fd, data + before, step);
      return before + static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    });
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(errno_error(ErrorCode::kIo, "can't read the file", path));
    if (count == 0) break;
  }
  return content;
}

}  // namespace planex::base
