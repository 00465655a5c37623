#include "base/files.h"

#include <algorithm>
#include <cstring>

namespace planex::base {
namespace {

class OwnedBytes final : public Bytes {
 public:
  explicit OwnedBytes(std::string_view text)
      : size_(text.size()), data_(std::make_unique_for_overwrite<char[]>(size_ + kPadding)) {
    if (!text.empty()) std::memcpy(data_.get(), text.data(), size_);
    std::memset(data_.get() + size_, 0, kPadding);
  }
  std::string_view view() const override { return {data_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<char[]> data_;
};

class AdoptedBytes final : public Bytes {
 public:
  explicit AdoptedBytes(std::string text) : size_(text.size()), text_(std::move(text)) {
    text_.append(kPadding, '\0');
  }
  std::string_view view() const override { return std::string_view(text_).substr(0, size_); }

 private:
  std::size_t size_;
  std::string text_;
};

}  // namespace

std::shared_ptr<const Bytes> adopt_bytes(std::string text) {
  return std::make_shared<AdoptedBytes>(std::move(text));
}

Error changed_error(const std::string& path) {
  return {.code = ErrorCode::kIo,
          .message = "changed while it was being read",
          .file = path,
          .hint = "run it again once the file is complete"};
}

std::shared_ptr<const Bytes> make_bytes(std::string_view text) {
  return std::make_shared<OwnedBytes>(text);
}

Result<std::vector<std::string>> FileSource::list_folders(const std::string&) const {
  return std::vector<std::string>();
}

void MemoryFiles::add(std::string path, std::string_view content) {
  add(std::move(path), make_bytes(content));
}

void MemoryFiles::add(std::string path, std::shared_ptr<const Bytes> bytes) {
  files_.insert_or_assign(std::move(path), std::move(bytes));
}

PathKind MemoryFiles::kind(const std::string& path) const {
  if (files_.contains(path)) return PathKind::kFile;
  if (path.empty() || path == ".") return PathKind::kFolder;
  const std::string prefix = path + "/";
  const auto next = files_.lower_bound(prefix);
  return next != files_.end() && next->first.starts_with(prefix) ? PathKind::kFolder
                                                                 : PathKind::kMissing;
}

Result<std::shared_ptr<const Bytes>> MemoryFiles::read(const std::string& path, Access) const {
  const auto found = files_.find(path);
  if (found == files_.end()) {
    return fail({.code = ErrorCode::kNotFound, .message = "no such file", .file = path});
  }
  return found->second;
}

Result<std::string> MemoryFiles::read_head(const std::string& path, std::size_t limit) const {
  auto bytes = read(path);
  if (!bytes) return fail(std::move(bytes).error());
  return std::string((*bytes)->view().substr(0, limit));
}

Result<std::vector<FileEntry>> MemoryFiles::list(const std::string& folder) const {
  std::vector<FileEntry> entries;
  for (const auto& [path, bytes] : files_) {
    if (folder_of(path) == folder) entries.push_back({path, bytes->view().size()});
  }
  if (entries.empty() && kind(folder) != PathKind::kFolder) {
    return fail({.code = ErrorCode::kNotFound, .message = "no such folder", .file = folder});
  }
  return entries;
}

Result<std::vector<std::string>> MemoryFiles::list_folders(const std::string& folder) const {
  if (kind(folder) != PathKind::kFolder) {
    return fail({.code = ErrorCode::kNotFound, .message = "no such folder", .file = folder});
  }
  const std::string prefix = folder.empty() || folder == "." ? "" : folder + "/";
  std::vector<std::string> folders;
  for (auto next = files_.lower_bound(prefix);
       next != files_.end() && next->first.starts_with(prefix); ++next) {
    const std::size_t slash = next->first.find('/', prefix.size());
    if (slash == std::string::npos) continue;
    std::string name = next->first.substr(0, slash);
    // "a/x", "a-b/x" and "a/y" are sorted in that order: a folder can come twice.
    if (std::ranges::find(folders, name) == folders.end()) folders.push_back(std::move(name));
  }
  std::ranges::sort(folders);
  return folders;
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

std::string_view file_name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string join_path(std::string_view folder, std::string_view name) {
  if (folder.empty()) return std::string(name);
  std::string path(folder);
  if (path.back() != '/') path += '/';
  path += name;
  return path;
}

}  // namespace planex::base
