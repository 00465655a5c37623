// Profiles and times of several runs in one file: scripts append what each run exports.
#pragma once

#include <string_view>
#include <vector>

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

// One document where the file is of one run, or what follows the first is no document of its kind.
// Cost: O(size).
std::vector<RunDocument> profile_documents(std::string_view text, TimedDocuments timed);
std::vector<RunDocument> times_documents(std::string_view text, TimedDocuments timed);

}  // namespace planex::ingest::tensorrt
