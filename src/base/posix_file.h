// POSIX files as values: a descriptor that closes itself, whole reads, maps. The basis of both
// disks of this folder (files.h, confined_disk.h).
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/files.h"

namespace planex::base {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  ~FileDescriptor();
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  bool is_open() const { return fd_ >= 0; }

 private:
  int fd_;
};

// The meaning of the last call's errno.
Error errno_error(ErrorCode code, std::string_view doing, const std::string& path);

// Maps the file over the start of an anonymous region that is one page longer, so that the padding
// (Bytes::kPadding) exists even where the file ends on a page boundary. Null if it can't be mapped.
std::shared_ptr<const Bytes> map_file(int fd, const struct stat& info, Access access);

// The whole file in memory. Errors: kIo (it was truncated meanwhile), kUnsupported (a stream
// without end).
Result<std::shared_ptr<const Bytes>> copy_file(int fd, const struct stat& info,
                                               const std::string& path);

// Reads until the end of the file, or `limit` bytes. `expected` is an estimate of the size.
Result<std::string> read_up_to(int fd, const std::string& path, std::size_t limit,
                               std::size_t expected);

}  // namespace planex::base
