// Profiles and times of several runs in one file: scripts append what each run exports.
#pragma once

#include <string_view>
#include <vector>

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

// One document if the file contains one run, or if what follows the first is not a document of its
// kind.
// Cost: O(size).
std::vector<RunDocument> profile_documents(std::string_view text, TimedDocuments timed);
std::vector<RunDocument> times_documents(std::string_view text, TimedDocuments timed);

}  // namespace planex::ingest::tensorrt
