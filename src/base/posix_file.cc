#include "base/posix_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/text.h"

namespace planex::base {
namespace {

class MappedBytes final : public Bytes {
 public:
  MappedBytes(void* base, std::size_t mapped, std::size_t size)
      : base_(base), mapped_(mapped), size_(size) {}
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;
  ~MappedBytes() override { ::munmap(base_, mapped_); }
  std::string_view view() const override { return {static_cast<const char*>(base_), size_}; }

 private:
  void* base_;
  std::size_t mapped_;
  std::size_t size_;
};

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Error errno_error(ErrorCode code, std::string_view doing, const std::string& path) {
  return {.code = code, .message = format("{}: {}", doing, std::strerror(errno)), .file = path};
}

std::shared_ptr<const Bytes> map_file(int fd, std::size_t size, Access access) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t mapped = (size + page - 1) / page * page + page;
  void* base = ::mmap(nullptr, mapped, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  const int flags = MAP_PRIVATE | MAP_FIXED | (access == Access::kWhole ? MAP_POPULATE : 0);
  if (::mmap(base, size, PROT_READ, flags, fd, 0) == MAP_FAILED) {
    ::munmap(base, mapped);
    return nullptr;
  }
  return std::make_shared<MappedBytes>(base, mapped, size);
}

Result<std::string> read_up_to(int fd, const std::string& path, std::size_t limit,
                               std::size_t expected) {
  std::string content;
  // A sparse file may say any size; what is not there is not asked for.
  constexpr std::size_t kMostReserved = 1 << 26;
  content.reserve(std::min(expected, kMostReserved) + Bytes::kPadding);
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
