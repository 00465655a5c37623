#include "drive/output_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/text.h"

namespace planex::drive {
namespace {

namespace fs = std::filesystem;

Failure folder_error(std::string_view doing, const std::string& why, const std::string& path) {
  return fail(
      {.code = ErrorCode::kIo, .message = base::format("{}: {}", doing, why), .file = path});
}

// A file that was replaced or removed, and the backup name that keeps it meanwhile.
struct Change {
  std::string path;
  std::string backup;  // Empty: there was no file before.
};

void undo(const std::vector<Change>& changes) {
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    if (change->backup.empty()) {
      ::unlink(change->path.c_str());
    } else {
      std::rename(change->backup.c_str(), change->path.c_str());
    }
  }
}

}  // namespace

Result<OutputFolder> OutputFolder::open(const std::string& path) {
  OutputFolder folder;
  folder.path_ = path;
  // One by one, to know which ones to remove on failure.
  fs::path prefix;
  for (const fs::path& part : fs::path(path.empty() ? "." : path)) {
    prefix /= part;
    std::error_code code;
    if (fs::create_directory(prefix, code)) folder.made_.push_back(prefix.string());
    if (code) return folder_error("can't make the folder", code.message(), prefix.string());
  }
  std::string pattern = base::join_path(path, ".planex-XXXXXX");
  if (::mkdtemp(pattern.data()) == nullptr) {
    return folder_error("can't write into the folder", std::strerror(errno), path);
  }
  folder.staging_ = std::move(pattern);
  return folder;
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : path_(std::move(other.path_)),
      staging_(std::exchange(other.staging_, {})),
      made_(std::exchange(other.made_, {})) {}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
  // Only empty folders are removed.
  for (auto made = made_.rbegin(); made != made_.rend(); ++made) ::rmdir(made->c_str());
}

std::string OutputFolder::final_path(const std::string& name) const {
  return base::join_path(path_, name);
}

Result<void> OutputFolder::commit(std::span<const std::string> names,
                                  std::span<const std::string> stale) {
  std::vector<Change> changes;
  const auto keep = [&](const std::string& path) {
    const std::string backup = base::join_path(staging_, base::format(".old-{}", changes.size()));
    // A link costs nothing and leaves the file in place until it is replaced. On a file system
    // without links there is no way back, but each file is still replaced in one step.
    const bool is_kept = ::link(path.c_str(), backup.c_str()) == 0;
    return is_kept ? backup : std::string();
  };
  for (const std::string& name : names) {
    const std::string path = final_path(name);
    Change change{path, keep(path)};
    if (std::rename(base::join_path(staging_, name).c_str(), path.c_str()) != 0) {
      const std::string why = std::strerror(errno);
      undo(changes);
      return folder_error("can't put the file in place", why, path);
    }
    changes.push_back(std::move(change));
  }
  for (const std::string& name : stale) {
    const std::string path = final_path(name);
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
      const std::string why = std::strerror(errno);
      undo(changes);
      return folder_error("can't remove the file of an earlier run", why, path);
    }
  }
  made_.clear();
  return {};
}

}  // namespace planex::drive
