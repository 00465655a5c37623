// Files that are mapped, and truncated meanwhile (posix_file.h, files.h).
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <memory>

#include "base/posix_file.h"

namespace planex::base {
namespace {

// A signal handler can only access globals, and must not wait for a lock.
struct MappedRange {
  std::atomic<char*> begin{nullptr};
  std::atomic<char*> end{nullptr};
  std::atomic<bool> is_taken{false};
  std::atomic<bool> is_damaged{false};
};
static_assert(std::atomic<char*>::is_always_lock_free, "a signal handler reads it");

// More than any command maps at once; further files are copied.
constexpr std::size_t kMaxMapped = 256;
std::array<MappedRange, kMaxMapped> mapped_ranges;
std::atomic<bool> has_changed{false};
std::atomic<std::size_t> page_bytes{0};

// Beyond the end of the file there are no pages any more. Empty ones in their place let the reader
// continue; callers that check is_intact() discard what it read.
void fill_with_zeros(int signal, siginfo_t* info, void*) {
  auto* at = static_cast<char*>(info->si_addr);
  for (MappedRange& range : mapped_ranges) {
    char* const begin = range.begin;
    char* const end = range.end;
    if (begin == nullptr || at < begin || at >= end) continue;
    char* const page = at - static_cast<std::size_t>(at - begin) % page_bytes;
    const void* filled = ::mmap(page, static_cast<std::size_t>(end - page), PROT_READ,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (filled == MAP_FAILED) break;
    range.is_damaged = true;
    has_changed = true;
    return;
  }
  // A fault from elsewhere: it occurs again, and ends the program as usual.
  ::signal(signal, SIG_DFL);
}

MappedRange* take_range() {
  for (MappedRange& range : mapped_ranges) {
    if (range.is_taken.exchange(true)) continue;
    range.is_damaged = false;
    return &range;
  }
  return nullptr;
}

class MappedBytes final : public Bytes {
 public:
  MappedBytes(MappedRange& range, char* base, std::size_t mapped, int fd, const struct stat& info)
      : range_(range), base_(base), mapped_(mapped), file_(fd), info_(info) {
    range_.end = base + mapped;
    range_.begin = base;
  }
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;
  ~MappedBytes() override {
    range_.begin = nullptr;
    ::munmap(base_, mapped_);
    range_.is_taken = false;
  }
  std::string_view view() const override {
    return {base_, static_cast<std::size_t>(info_.st_size)};
  }
  // A log that only grows is still the same file.
  bool is_intact() const override {
    struct stat now{};
    if (range_.is_damaged || ::fstat(file_.get(), &now) != 0) return false;
    if (now.st_size != info_.st_size) return now.st_size > info_.st_size;
    return now.st_mtim.tv_sec == info_.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == info_.st_mtim.tv_nsec;
  }

 private:
  MappedRange& range_;
  char* base_;
  std::size_t mapped_;
  FileDescriptor file_;
  struct stat info_;
};

}  // namespace

void survive_shortened_files() {
  page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action{};
  action.sa_sigaction = fill_with_zeros;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

bool has_a_file_changed() { return has_changed; }

std::shared_ptr<const Bytes> map_file(int fd, const struct stat& info, Access access) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto size = static_cast<std::size_t>(info.st_size);
  const std::size_t mapped = (size + page - 1) / page * page + page;
  // Another descriptor of the same file, to inspect it again; the caller closes its own.
  const int own_fd = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (own_fd < 0) return nullptr;
  FileDescriptor own(own_fd);
  void* base = ::mmap(nullptr, mapped, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  const int flags = MAP_PRIVATE | MAP_FIXED | (access == Access::kWhole ? MAP_POPULATE : 0);
  MappedRange* const range =
      ::mmap(base, size, PROT_READ, flags, fd, 0) == MAP_FAILED ? nullptr : take_range();
  if (range == nullptr) {
    ::munmap(base, mapped);
    return nullptr;
  }
  return std::make_shared<MappedBytes>(*range, static_cast<char*>(base), mapped, own.release(),
                                       info);
}

}  // namespace planex::base
