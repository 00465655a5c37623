// Which files of a folder are one engine's, where several engines may lie side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "serve/engine_finder.h"

namespace planex::serve {

using FilePaths = std::set<std::string, std::less<>>;

// Whether `path` is the file, or lies in it: archives hold engines' files.
bool is_or_holds(std::string_view file, std::string_view path);

// `path` is the engine's, and `used` the files that it was read from, empty where it was not.

// Another text when a file that may be the engine's is another: one it was read from, one of its
// name, and where it is the only engine also one that comes or goes.
struct FilesStamp {
  std::string text;
  std::optional<std::int64_t> youngest_ns;  // of the files that may be its
};
// Cost: as many steps as the engine has files, and their logarithm; as the folder has where it is
// the only engine.
FilesStamp stamp_of(const SeenFolder& folder, std::string_view path, const FilePaths& used);

// Of the files it was read from; where it was not, of those it is in.
struct FilesWeight {
  std::uint64_t size_bytes = 0;
  std::optional<std::int64_t> modified_ns;  // the youngest
};
// Cost: as above.
FilesWeight weight_of(const SeenFolder& folder, std::string_view path, const FilePaths& used);

}  // namespace planex::serve
