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
// The same for one that nobody named: that it can't be read may not matter.
FoundFile look_if_possible(const base::FileEntry& entry, const base::FileSource& source);

}  // namespace planex::ingest
