// The POSIX side of base/confined_disk.h.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/confined_disk.h"
#include "base/posix_file.h"
#include "base/text.h"

namespace planex::base {
namespace {

// A model that is mostly skipped is mapped from this size on; smaller ones are copied.
constexpr std::uint64_t kMapSparseFromBytes = std::uint64_t{16} << 20;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

Failure not_there(const std::string& path) {
  return fail({.code = ErrorCode::kNotFound,
               .message = "there is no such file below the given paths",
               .file = path});
}

std::int64_t modified_ns(const struct stat& info) {
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  return std::int64_t{info.st_mtim.tv_sec} * kPerSecond + info.st_mtim.tv_nsec;
}

class ConfinedDisk final : public FileSource {
 public:
  Result<void> add(const std::string& path) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) {
      return fail(errno_error(ErrorCode::kNotFound, "can't open it", path));
    }
    if (S_ISDIR(info.st_mode)) {
      trees_.push_back(real_path(path));
    } else if (S_ISREG(info.st_mode)) {
      files_.push_back(real_path(path));
      const std::string_view beside = folder_of(path);
      flat_.push_back(real_path(beside.empty() ? "." : std::string(beside)));
    } else {
      return fail({.code = ErrorCode::kUsage,
                   .message = "is neither a file nor a folder, so it can't be served",
                   .file = path});
    }
    return {};
  }

  PathKind kind(const std::string& path) const override {
    struct stat info{};
    const FileDescriptor place = locate(path, info);
    if (!place.is_open()) return PathKind::kMissing;
    return S_ISREG(info.st_mode) ? PathKind::kFile : PathKind::kFolder;
  }

  Result<std::shared_ptr<const Bytes>> read(const std::string& path, Access access) const override {
    struct stat info{};
    const FileDescriptor file = open_file(path, info);
    if (!file.is_open()) return not_there(path);
    const auto size = static_cast<std::uint64_t>(std::max<off_t>(info.st_size, 0));
    if (access == Access::kSparse && size >= kMapSparseFromBytes) {
      if (auto bytes = map_file(file.get(), info, access)) return bytes;
    }
    return copy_file(file.get(), info, path);
  }

  Result<std::string> read_head(const std::string& path, std::size_t limit) const override {
    struct stat info{};
    const FileDescriptor file = open_file(path, info);
    if (!file.is_open()) return not_there(path);
    return read_up_to(file.get(), path, limit, limit);
  }

  Result<std::vector<FileEntry>> list(const std::string& folder) const override {
    std::vector<FileEntry> entries;
    const auto add_entry = [&](const Folder& opened, const dirent& entry) {
      struct stat info{};
      const std::string path = join_path(folder, entry.d_name);
      bool is_file =
          ::fstatat(::dirfd(opened.get()), entry.d_name, &info, AT_SYMLINK_NOFOLLOW) == 0;
      if (is_file && S_ISLNK(info.st_mode)) is_file = locate(path, info).is_open();
      if (!is_file || !S_ISREG(info.st_mode)) return;
      entries.push_back(
          {path, static_cast<std::uint64_t>(std::max<off_t>(info.st_size, 0)), modified_ns(info)});
    };
    if (!for_each_entry(folder, add_entry)) return not_there(folder);
    std::ranges::sort(entries, {}, &FileEntry::path);
    return entries;
  }

  Result<std::vector<std::string>> list_folders(const std::string& folder) const override {
    std::vector<std::string> folders;
    const auto add_entry = [&](const Folder& opened, const dirent& entry) {
      bool is_folder = entry.d_type == DT_DIR;
      if (entry.d_type == DT_UNKNOWN) {
        struct stat info{};
        is_folder =
            ::fstatat(::dirfd(opened.get()), entry.d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(info.st_mode);
      }
      if (is_folder) folders.push_back(join_path(folder, entry.d_name));
    };
    if (!for_each_entry(folder, add_entry)) return not_there(folder);
    std::ranges::sort(folders);
    return folders;
  }

 private:
  static std::string real_path(const std::string& path) {
    char* resolved = ::realpath(path.c_str(), nullptr);
    std::string real = resolved == nullptr ? path : resolved;
    std::free(resolved);
    return real;
  }

  static bool is_below(std::string_view path, std::string_view folder) {
    if (folder == "/") return true;
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
  }

  bool allows(const std::string& real, bool is_folder) const {
    const auto below = [&](const std::string& tree) { return is_below(real, tree); };
    if (std::ranges::any_of(trees_, below)) return true;
    const std::string folder = is_folder ? real : std::string(folder_of(real));
    if (std::ranges::find(flat_, folder) != flat_.end()) return true;
    return !is_folder && std::ranges::find(files_, real) != files_.end();
  }

  // The file or folder itself, not opened for reading, so that nothing happens to a device or a
  // pipe. Its location is determined from what was opened and not from its path, which may lead
  // elsewhere by then. Not open: it does not exist, or it is outside.
  FileDescriptor locate(const std::string& path, struct stat& info) const {
    FileDescriptor found(::open(path.empty() ? "." : path.c_str(), O_PATH | O_CLOEXEC));
    if (!found.is_open() || ::fstat(found.get(), &info) != 0) return FileDescriptor(-1);
    const bool is_folder = S_ISDIR(info.st_mode);
    if (!is_folder && !S_ISREG(info.st_mode)) return FileDescriptor(-1);
    const auto real = place_of(found.get());
    if (!real || !allows(*real, is_folder)) return FileDescriptor(-1);
    return found;
  }

  static std::string name_of(int fd) { return format("/proc/self/fd/{}", fd); }

  static std::optional<std::string> place_of(int fd) {
    std::string real(PATH_MAX, '\0');
    const ssize_t length = ::readlink(name_of(fd).c_str(), real.data(), real.size());
    // A longer path would be truncated, and then mean a different file.
    if (length <= 0 || static_cast<std::size_t>(length) >= real.size()) return std::nullopt;
    real.resize(static_cast<std::size_t>(length));
    return real;
  }

  FileDescriptor open_file(const std::string& path, struct stat& info) const {
    const FileDescriptor found = locate(path, info);
    if (!found.is_open() || !S_ISREG(info.st_mode)) return FileDescriptor(-1);
    return FileDescriptor(::open(name_of(found.get()).c_str(), O_RDONLY | O_CLOEXEC));
  }

  template <typename Use>
  bool for_each_entry(const std::string& folder, const Use& use) const {
    struct stat info{};
    const FileDescriptor found = locate(folder, info);
    if (!found.is_open() || !S_ISDIR(info.st_mode)) return false;
    FileDescriptor readable(
        ::open(name_of(found.get()).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!readable.is_open()) return false;
    const Folder opened(::fdopendir(readable.get()));
    if (opened == nullptr) return false;
    readable.release();
    while (const dirent* entry = ::readdir(opened.get())) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") use(opened, *entry);
    }
    return true;
  }

  std::vector<std::string> trees_;  // real paths of folders, with all below them
  std::vector<std::string> flat_;   // real paths of folders, with the files directly in them
  std::vector<std::string> files_;  // real paths of files
};

}  // namespace

Result<std::unique_ptr<FileSource>> confined_disk(const std::vector<std::string>& places) {
  auto disk = std::make_unique<ConfinedDisk>();
  for (const std::string& place : places) {
    if (auto added = disk->add(place); !added) return fail(std::move(added).error());
  }
  return disk;
}

}  // namespace planex::base
