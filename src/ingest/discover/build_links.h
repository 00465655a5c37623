// Which logs belong to one engine although their names don't say so: one run built the engine's
// file, another loads it.
#pragma once

#include <span>
#include <vector>

#include "base/files.h"
#include "ingest/discover/discover.h"

namespace planex::ingest {

// `logs` without those that built what another of them, or a used file, loads: the two are one
// engine. Empty if each loads what another built.
std::vector<FoundFile*> without_builds(const std::vector<FoundFile*>& logs,
                                       std::span<const FoundFile> files);

// Logs with the same stem belong to one engine, such as X.build.log and X.profile.log, and so does
// metadata that has no layers beside it. The first is read as the engine, the others join it.
bool are_of_one_engine(std::span<FoundFile* const> files);

// Uses the log that built what a used log loads, if it is the only one, and notes for the others
// why they were left out. Folders in the names of engine files are ignored, because logs get copied
// around, unless they distinguish two builds. Reads those logs completely, to see how they ended.
void link_builds(std::span<FoundFile> files, const base::FileSource& source);

}  // namespace planex::ingest
