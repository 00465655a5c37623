// Which reader a file is for.
#pragma once

#include <cstdint>
#include <string>

#include "base/files.h"
#include "ingest/discover/discover.h"
#include "planex/error.h"

namespace planex::ingest {

Result<FoundFile> look_at(const std::string& path, std::uint64_t size,
                          const base::FileSource& source);
// The same for a file that the user did not name: it may not matter if it can't be read.
FoundFile look_if_possible(const base::FileEntry& entry, const base::FileSource& source);

}  // namespace planex::ingest
