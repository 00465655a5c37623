// The POSIX side of base/file_pieces.h.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/file_pieces.h"
#include "base/posix_file.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::base {
namespace {

class PosixPieces final : public FilePieces {
 public:
  PosixPieces(FileDescriptor file, std::uint64_t size_bytes, std::string path)
      : file_(std::move(file)), size_bytes_(size_bytes), path_(std::move(path)) {}

  std::uint64_t size_bytes() const override { return size_bytes_; }

  Result<void> read(std::uint64_t offset, std::span<char> piece) const override {
    for (std::size_t done = 0; done < piece.size();) {
      const ssize_t count = ::pread(file_.get(), piece.data() + done, piece.size() - done,
                                    static_cast<off_t>(offset + done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail(errno_error(ErrorCode::kIo, "can't read the file", path_));
      if (count == 0) return fail(changed_error(path_));
      done += static_cast<std::size_t>(count);
    }
    return {};
  }

 private:
  FileDescriptor file_;
  std::uint64_t size_bytes_;
  std::string path_;
};

}  // namespace

Result<std::unique_ptr<FilePieces>> FilePieces::open(const std::string& path) {
  // A pipe would wait for its writer.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return fail(errno_error(ErrorCode::kNotFound, "can't open the file", path));
  struct stat info{};
  if (::fstat(file.get(), &info) != 0) {
    return fail(errno_error(ErrorCode::kIo, "can't inspect the file", path));
  }
  if (!S_ISREG(info.st_mode)) {
    return fail(
        {.code = ErrorCode::kBadInput, .message = "is not a file with a size", .file = path});
  }
  const auto size = static_cast<std::uint64_t>(info.st_size);
  return std::make_unique<PosixPieces>(std::move(file), size, path);
}

}  // namespace planex::base
