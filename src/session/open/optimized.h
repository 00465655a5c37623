// The folder that `planex optimize` wrote, or its capsule: the engine of the model as it is, that
// of the best, and the record.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "ingest/optimize_record.h"
#include "planex/error.h"
#include "planex/open.h"

namespace planex::session {

// Whether it has both a record and an engine.
bool is_optimized(const std::string& folder, const base::FileSource& files);
// The engine of the model as it is, then that of the best, if any step was kept.
std::vector<OpenRequest> optimized_engines(const std::string& folder,
                                           const base::FileSource& files);
// The path of the record.
std::string optimize_record(const std::string& folder);

// The record at a path, which can be in a capsule. Errors: those of read_optimize_record and of the
// capsule.
Result<ingest::OptimizeRecord> read_record(const std::string& path, const base::FileSource& files);

// Whether a file is called as capsules are.
bool is_capsule_name(std::string_view path);

// A file in a capsule, and its place in the search's folder.
struct PackedFile {
  std::string place;
  std::shared_ptr<const base::Bytes> bytes;
};
// The model that a search began with, and the files that its weights are in.
struct PackedModel {
  std::vector<PackedFile> files;
  std::string place;  // of the model
};
// From the capsule of the search. Errors: kBadInput (not a capsule of a search, an altered one),
// kUnsupported (it has no weights).
Result<PackedModel> packed_original(const std::string& capsule, const base::FileSource& files);

}  // namespace planex::session
