// Files to a zip archive that ArchiveFiles and any other program read.
#ifndef PLANEX_INGEST_ZIP_WRITER_H_
#define PLANEX_INGEST_ZIP_WRITER_H_

#include <memory>
#include <span>
#include <string>

#include "base/files.h"
#include "planex/error.h"

namespace planex::ingest {

struct ZipMember {
  std::string name;
  std::shared_ptr<const base::Bytes> bytes;
};

// The archive, packed with deflate. The same members give the same bytes: they have no time, owner
// or place of this machine. It is made in memory. `path` is for errors.
// Errors: kUnsupported (no libzip), kInternal (libzip fails).
Result<std::string> zip_text(std::span<const ZipMember> members, const std::string& path);

}  // namespace planex::ingest

#endif  // PLANEX_INGEST_ZIP_WRITER_H_
