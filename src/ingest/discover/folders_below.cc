#include "ingest/discover/folders_below.h"

#include <vector>

#include "base/text.h"
#include "ingest/discover/discover.h"

namespace planex::ingest {

using base::format;

Error with_folders_below(Error error, const std::string& path, const base::FileSource& source) {
  // Enough to say what to do.
  constexpr std::size_t kMaxTried = 20, kMaxShown = 5;
  if (source.kind(path) != base::PathKind::kFolder) return error;
  const auto folders = source.list_folders(path).value_or(std::vector<std::string>());
  std::vector<std::string> below;
  for (std::size_t i = 0; i < folders.size() && i < kMaxTried; ++i) {
    const auto engines = engine_paths(folders[i], source);
    if (engines && !engines->empty()) below.push_back(folders[i]);
  }
  if (below.empty()) return error;
  error.message = format("there is no engine directly in this folder, but in {} below it",
                         base::counted(below.size(), "folder"));
  error.context.clear();
  for (std::size_t i = 0; i < below.size(); ++i) {
    if (i == kMaxShown && below.size() > kMaxShown + 1) {
      error.context += format("\n{} more", below.size() - i);
      break;
    }
    error.context += (i == 0 ? "" : "\n") + below[i];
  }
  error.hint = format("name one of them; `planex list {}` lists all engines below it",
                      base::shell_word(path));
  return error;
}

}  // namespace planex::ingest
