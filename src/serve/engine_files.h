// Which files of a folder belong to an engine, if it may contain several engines.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "serve/engine_finder.h"

namespace planex::serve {

using FilePaths = std::set<std::string, std::less<>>;

// Whether `path` is the file, or is inside it: archives contain engines' files.
bool is_or_holds(std::string_view file, std::string_view path);

// `path` is the engine's path, and `used` the files that it was read from; empty if it was not
// read.

// A text that changes when a file that may belong to the engine changes: one it was read from, one
// with its name, or, if it is the only engine, one that is added or removed.
struct FilesStamp {
  std::string text;
  std::optional<std::int64_t> youngest_ns;  // of the files that may belong to it
};
// Cost: as many steps as the engine has files, and their logarithm; as the folder has where it is
// the only engine.
FilesStamp stamp_of(const SeenFolder& folder, std::string_view path, const FilePaths& used);

// Of the files it was read from; if it was not read, of those that contain it.
struct FilesWeight {
  std::uint64_t size_bytes = 0;
  std::optional<std::int64_t> modified_ns;  // the youngest
};
// Cost: as above.
FilesWeight weight_of(const SeenFolder& folder, std::string_view path, const FilePaths& used);

}  // namespace planex::serve
