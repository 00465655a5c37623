// Writes files into a zip archive that any program reads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/files.h"
#include "planex/error.h"

namespace planex::archive {

struct ZipMember {
  std::string name;
  std::shared_ptr<const base::Bytes> bytes;
};

// A tensor's numbers hardly compress, and programs that read them want them at once.
enum class Packing : std::uint8_t { kDeflated, kStored };

// The archive. The same members give the same bytes: they contain no time, owner or place of this
// machine. It is made in memory. `path` is for errors. Errors: kUnsupported (no libzip), kInternal
// (libzip fails).
Result<std::string> zip_text(std::span<const ZipMember> members, const std::string& path,
                             Packing packing = Packing::kDeflated);

// The same into a file, which is replaced; mapped members are never in memory as a whole. Errors:
// as above; kIo.
Result<void> write_zip(std::span<const ZipMember> members, const std::string& path,
                       Packing packing = Packing::kDeflated);

}  // namespace planex::archive
