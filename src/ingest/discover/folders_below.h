// Engines in the folders directly below a folder that has none itself.
#pragma once

#include <string>

#include "base/files.h"
#include "planex/error.h"

namespace planex::ingest {

// `error` says that no engine is at `path`. If `path` is a folder, and folders directly in it
// contain engines, the error names these instead: the user probably meant the runs in it.
Error with_folders_below(Error error, const std::string& path, const base::FileSource& source);

}  // namespace planex::ingest
