// The machine's file system below some places, and nothing else of it: for programs that give
// others access to files (planex serve).
//
// A path can contain anything, and links can point anywhere: what counts is the location of the
// opened file. A hard link can't be distinguished from a file in that place.
//
// Unlike disk(), this copies files instead of mapping them, as their writer may truncate them while
// they are read; only large files that are read in part (models) are mapped. Pipes and devices are
// not files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "planex/error.h"

namespace planex::base {

// Each place is a folder, with all below it, or a file, with the files beside it. What is outside
// does not exist (PathKind::kMissing, kNotFound). Errors: kNotFound (a missing place), kUsage (one
// that is neither file nor folder).
Result<std::unique_ptr<FileSource>> confined_disk(const std::vector<std::string>& places);

}  // namespace planex::base
