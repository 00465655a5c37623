// The POSIX side of base/files.h.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/posix_file.h"
#include "base/text.h"

namespace planex::base {
namespace {

// Below this size copying is cheaper than mapping, and safe against a writer that cuts the file.
constexpr std::size_t kMapFromBytes = 1 << 20;

class Disk final : public FileSource {
 public:
  PathKind kind(const std::string& path) const override {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) return PathKind::kMissing;
    if (S_ISREG(info.st_mode)) return PathKind::kFile;
    return S_ISDIR(info.st_mode) ? PathKind::kFolder : PathKind::kOther;
  }

  Result<std::shared_ptr<const Bytes>> read(const std::string& path, Access access) const override {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) return fail(errno_error(ErrorCode::kNotFound, "can't open the file", path));
    struct stat info{};
    if (::fstat(file.get(), &info) != 0) {
      return fail(errno_error(ErrorCode::kIo, "can't look at the file", path));
    }
    if (S_ISDIR(info.st_mode)) {
      return fail(
          {.code = ErrorCode::kNotFound, .message = "is a folder, expected a file", .file = path});
    }
    const auto size = static_cast<std::size_t>(std::max<off_t>(info.st_size, 0));
    if (S_ISREG(info.st_mode) && size >= kMapFromBytes) {
      if (auto mapped = map_file(file.get(), size, access)) return mapped;
    }
    // Pipes and files of /proc say size 0, so read until the end, whatever the size says.
    auto content = read_up_to(file.get(), path, std::numeric_limits<std::size_t>::max(), size);
    if (!content) return fail(std::move(content).error());
    return adopt_bytes(std::move(*content));
  }

  Result<std::string> read_head(const std::string& path, std::size_t limit) const override {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) return fail(errno_error(ErrorCode::kNotFound, "can't open the file", path));
    return read_up_to(file.get(), path, limit, limit);
  }

  Result<std::vector<FileEntry>> list(const std::string& folder) const override {
    std::vector<FileEntry> entries;
    std::error_code code;
    const std::string where = folder.empty() ? "." : folder;
    for (std::filesystem::directory_iterator next(where, code), end; !code && next != end;
         next.increment(code)) {
      std::error_code ignored;  // A file that vanished or can't be looked at is not listed.
      if (!next->is_regular_file(ignored)) continue;
      entries.push_back({join_path(folder, next->path().filename().string()),
                         static_cast<std::uint64_t>(next->file_size(ignored))});
    }
    if (code) {
      return fail({.code = ErrorCode::kNotFound,
                   .message = format("can't list the folder: {}", code.message()),
                   .file = folder});
    }
    std::ranges::sort(entries, {}, &FileEntry::path);
    return entries;
  }
};

}  // namespace

const FileSource& disk() {
  static const Disk instance;
  return instance;
}

class FileWriter::State {
 public:
  State(std::string path, std::string temporary, bool is_special, int fd)
      : path_(std::move(path)),
        temporary_(std::move(temporary)),
        is_special_(is_special),
        file_(fd) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (!is_finished_ && !is_special_) ::unlink(temporary_.c_str());
  }

  Result<void> write(std::string_view piece) {
    for (std::size_t done = 0; done < piece.size();) {
      const ssize_t count = ::write(file_.get(), piece.data() + done, piece.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail(errno_error(ErrorCode::kIo, "can't write the file", path_));
      done += static_cast<std::size_t>(count);
    }
    return {};
  }

  Result<void> finish() {
    if (::close(file_.release()) != 0) {
      return fail(errno_error(ErrorCode::kIo, "can't finish writing the file", path_));
    }
    if (!is_special_ && ::rename(temporary_.c_str(), path_.c_str()) != 0) {
      return fail(errno_error(ErrorCode::kIo, "can't put the file in place", path_));
    }
    is_finished_ = true;
    return {};
  }

 private:
  std::string path_, temporary_;
  bool is_special_;
  FileDescriptor file_;
  bool is_finished_ = false;
};

FileWriter::FileWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

Result<FileWriter> FileWriter::create(const std::string& path) {
  // A pipe or a device can't be replaced by renaming.
  struct stat info{};
  const bool special = ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  static std::atomic<unsigned> counter{0};
  // Short, as the name itself may be as long as the file system takes.
  std::string temporary =
      special ? path
              : join_path(folder_of(path), format(".planex-{}-{}.tmp", ::getpid(), counter++));
  const int fd =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);  // less the umask
  if (fd < 0) return fail(errno_error(ErrorCode::kIo, "can't write the file", path));
  return FileWriter(std::make_unique<State>(path, std::move(temporary), special, fd));
}

Result<void> FileWriter::write(std::string_view piece) { return state_->write(piece); }
Result<void> FileWriter::finish() { return state_->finish(); }

Result<void> write_file_atomically(const std::string& path, std::string_view content) {
  auto writer = FileWriter::create(path);
  if (!writer) return fail(std::move(writer).error());
  if (auto written = writer->write(content); !written) return written;
  return writer->finish();
}

}  // namespace planex::base
