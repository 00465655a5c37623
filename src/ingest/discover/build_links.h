// Which logs are of one engine although nothing in their names says so: one run built the engine's
// file, another loads it.
#pragma once

#include <span>
#include <vector>

#include "base/files.h"
#include "ingest/discover/discover.h"

namespace planex::ingest {

// `logs` without those that built what another of them, or a used file, loads: with it they are one
// engine. Empty where each loads what another built.
std::vector<FoundFile*> without_builds(const std::vector<FoundFile*>& logs,
                                       std::span<const FoundFile> files);

// Logs of one name are of one engine, as X.build.log and X.profile.log, and so is metadata that has
// no layers beside it. The first is read as the engine, the others join it.
bool are_of_one_engine(std::span<FoundFile* const> files);

// Uses the log that built what a used log loads, where there is just one, and says of the others
// why they were left out. Folders in the names of engine files don't count, as logs are copied
// about, unless they tell two builds apart. Reads those logs whole, to see how they ended.
void link_builds(std::span<FoundFile> files, const base::FileSource& source);

}  // namespace planex::ingest
