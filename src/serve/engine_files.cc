#include "serve/engine_files.h"

#include <algorithm>

#include "base/text.h"
#include "ingest/discover/file_names.h"
#include "serve/digest.h"

namespace planex::serve {
namespace {

using base::format;
// Indexes of SeenFolder::files, in order.
using Indexes = std::set<std::size_t>;

void take_youngest(std::optional<std::int64_t>& youngest, const base::FileEntry& file) {
  if (!file.modified_ns) return;
  youngest = std::max(youngest.value_or(*file.modified_ns), *file.modified_ns);
}

// The file at the path, and the files that contain it (archives).
void add_holders(const SeenFolder& folder, std::string_view path, Indexes& found) {
  const auto add = [&](std::string_view name) {
    const auto at = std::ranges::lower_bound(
        folder.files, name, {}, [](const auto& file) { return std::string_view(file.path); });
    if (at == folder.files.end() || at->path != name) return;
    found.insert(static_cast<std::size_t>(at - folder.files.begin()));
  };
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    add(path.substr(0, slash));
  }
  add(path);
}

void add_all(const SeenFolder& folder, Indexes& found) {
  for (std::size_t i = 0; i < folder.files.size(); ++i) found.insert(found.end(), i);
}

// The files that may belong to the engine. A file that was not read may still turn out to belong to
// it: a file that was just begun does not show what it will be.
Indexes candidates(const SeenFolder& folder, std::string_view path, const FilePaths& used) {
  constexpr std::size_t kFewFiles = 64;
  Indexes found;
  if (folder.engines.size() == 1 && folder.files.size() <= kFewFiles) {
    add_all(folder, found);
    return found;
  }
  for (const std::string& file : used) add_holders(folder, file, found);
  add_holders(folder, path, found);
  const auto same_name =
      std::ranges::equal_range(folder.stems, ingest::stem_of(path), {},
                               [](const auto& stem) { return std::string_view(stem.first); });
  for (const auto& [stem, index] : same_name) found.insert(index);
  return found;
}

}  // namespace

bool is_or_holds(std::string_view file, std::string_view path) {
  return path == file ||
         (path.starts_with(file) && path.size() > file.size() && path[file.size()] == '/');
}

FilesStamp stamp_of(const SeenFolder& folder, std::string_view path, const FilePaths& used) {
  const Indexes own = candidates(folder, path, used);
  FilesStamp stamp;
  std::string text;
  for (const std::size_t index : own) {
    const base::FileEntry& file = folder.files[index];
    text += format("{}\n{}\n{}\n", file.path, file.size_bytes, file.modified_ns.value_or(0));
    take_youngest(stamp.youngest_ns, file);
  }
  if (folder.engines.size() == 1) {
    for (std::size_t i = 0; i < folder.files.size(); ++i) {
      if (!own.contains(i)) text += folder.files[i].path + "\n";
    }
  }
  stamp.text = digest(text);
  return stamp;
}

FilesWeight weight_of(const SeenFolder& folder, std::string_view path, const FilePaths& used) {
  Indexes own;
  for (const std::string& file : used) add_holders(folder, file, own);
  if (used.empty()) {
    if (folder.engines.size() == 1) {
      add_all(folder, own);
    } else {
      add_holders(folder, path, own);
    }
  }
  FilesWeight weight;
  for (const std::size_t index : own) {
    weight.size_bytes += folder.files[index].size_bytes;
    take_youngest(weight.modified_ns, folder.files[index]);
  }
  return weight;
}

}  // namespace planex::serve
