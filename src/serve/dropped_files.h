// Files that were dropped on a page, which sends them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/files.h"
#include "planex/error.h"

namespace planex::serve {

inline constexpr std::string_view kDroppedType = "application/x-planex-files";
inline constexpr std::size_t kMaxDroppedFiles = 2000;
inline constexpr std::size_t kLongestDroppedName = 1024;
inline constexpr std::uint64_t kMaxDroppedBytes = std::uint64_t{256} << 20;

struct DroppedFiles {
  std::unique_ptr<base::MemoryFiles> files;
  std::size_t count = 0;
  std::uint64_t size_bytes = 0;
};

// The body of a request as files in memory. For each file: the length of its name (4 bytes,
// little-endian), the length of its content (8 bytes), the name (UTF-8, with `/` between folders),
// the content. Errors: kBadInput (truncated, no file, too many, two with the same name; a name that
// is empty, too long or not UTF-8, has a control character, or leads out of its folder).
Result<DroppedFiles> parse_dropped(std::string_view body);

}  // namespace planex::serve
