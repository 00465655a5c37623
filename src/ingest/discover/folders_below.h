// What a folder without an engine has in the folders below it.
#pragma once

#include <string>

#include "base/files.h"
#include "planex/error.h"

namespace planex::ingest {

// `error`, that no engine is at `path`; where it is a folder, and folders directly in it have
// engines, it names these instead: somebody meant the runs in it.
Error with_folders_below(Error error, const std::string& path, const base::FileSource& source);

}  // namespace planex::ingest
