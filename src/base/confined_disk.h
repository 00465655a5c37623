// The machine's file system below some places, and nothing else of it: for who hands files on to
// others (planex serve).
//
// A path may hold whatever it likes, and links may point anywhere: what counts is where the file
// lies that was opened. A file that is a hard link can't be told from one that lies there.
//
// Beside disk(), files are copied and not mapped, as they may be cut short by who writes them while
// they are read; only large files that are read in part (models) are mapped. Pipes and devices are
// no files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "planex/error.h"

namespace planex::base {

// Each place is a folder, with all below it, or a file, with the files beside it. What is outside
// is not there (PathKind::kMissing, kNotFound). Errors: kNotFound (a place that is not there),
// kUsage (one that is neither file nor folder).
Result<std::unique_ptr<FileSource>> confined_disk(const std::vector<std::string>& places);

}  // namespace planex::base
