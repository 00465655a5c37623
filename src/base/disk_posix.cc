// The POSIX side of base/files.h.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "base/posix_file.h"
#include "base/read_files.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::base {
namespace {

// Below this size a copy costs next to nothing, and its contents stay the same.
constexpr off_t kMapFromBytes = off_t{4} << 20;

enum class LargeFiles : std::uint8_t { kMapped, kCopied };

class Disk final : public FileSource {
 public:
  explicit Disk(LargeFiles large_files) : large_files_(large_files) {}

  PathKind kind(const std::string& path) const override {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) return PathKind::kMissing;
    if (S_ISREG(info.st_mode)) return PathKind::kFile;
    return S_ISDIR(info.st_mode) ? PathKind::kFolder : PathKind::kOther;
  }

  Result<std::shared_ptr<const Bytes>> read(const std::string& path, Access access) const override {
    struct stat info{};
    PLANEX_ASSIGN(const FileDescriptor file, open_to_read(path, info));
    if (S_ISDIR(info.st_mode)) {
      return fail(
          {.code = ErrorCode::kNotFound, .message = "is a folder, expected a file", .file = path});
    }
    note_read(info);
    // A model with its weights is mostly skipped, and may not fit into memory.
    const bool may_map = large_files_ == LargeFiles::kMapped || access == Access::kSparse;
    if (may_map && S_ISREG(info.st_mode) && info.st_size >= kMapFromBytes) {
      if (auto mapped = map_file(file.get(), info, access)) return mapped;
    }
    return copy_file(file.get(), info, path);
  }

  Result<std::string> read_head(const std::string& path, std::size_t limit) const override {
    struct stat info{};
    PLANEX_ASSIGN(const FileDescriptor file, open_to_read(path, info));
    return read_up_to(file.get(), path, limit, limit);
  }

  Result<std::vector<FileEntry>> list(const std::string& folder) const override {
    std::vector<FileEntry> entries;
    PLANEX_TRY(for_each_entry(folder, [&](const std::string& path) {
      // A file that vanished or can't be inspected is not listed.
      struct stat info{};
      if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return;
      entries.push_back({path, static_cast<std::uint64_t>(std::max<off_t>(info.st_size, 0))});
    }));
    std::ranges::sort(entries, {}, &FileEntry::path);
    return entries;
  }

  Result<std::vector<std::string>> list_folders(const std::string& folder) const override {
    std::vector<std::string> folders;
    PLANEX_TRY(for_each_entry(folder, [&](const std::string& path) {
      struct stat info{};
      if (::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) folders.push_back(path);
    }));
    std::ranges::sort(folders);
    return folders;
  }

 private:
  template <typename Use>
  static Result<void> for_each_entry(const std::string& folder, const Use& use) {
    const std::unique_ptr<DIR, int (*)(DIR*)> opened(
        ::opendir(folder.empty() ? "." : folder.c_str()), &::closedir);
    if (opened == nullptr) {
      return fail(errno_error(ErrorCode::kNotFound, "can't list the folder", folder));
    }
    while (const dirent* entry = ::readdir(opened.get())) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") use(join_path(folder, name));
    }
    return {};
  }

  // Opening a device can have side effects, and reading one may never end.
  static Result<FileDescriptor> open_to_read(const std::string& path, struct stat& info) {
    const bool is_there = ::stat(path.c_str(), &info) == 0;
    if (is_there && (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode))) {
      return fail(
          {.code = ErrorCode::kBadInput, .message = "is a device, expected a file", .file = path});
    }
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open())
      return fail(errno_error(ErrorCode::kNotFound, "can't open the file", path));
    if (::fstat(file.get(), &info) != 0) {
      return fail(errno_error(ErrorCode::kIo, "can't inspect the file", path));
    }
    return file;
  }

  LargeFiles large_files_;
};

}  // namespace

const FileSource& disk() {
  static const Disk instance(LargeFiles::kMapped);
  return instance;
}

const FileSource& copying_disk() {
  static const Disk instance(LargeFiles::kCopied);
  return instance;
}

bool is_same_file(const std::string& path, const std::string& other) {
  struct stat one{};
  struct stat two{};
  return ::stat(path.c_str(), &one) == 0 && ::stat(other.c_str(), &two) == 0 &&
         one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

}  // namespace planex::base
