// The folder that `planex optimize` wrote: the engine of the model as it is, that of the best, and
// the record.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "planex/open.h"

namespace planex::session {

// Whether it has both a record and an engine.
bool is_optimized(const std::string& folder, const base::FileSource& files);
// The engine of the model as it is, then that of the best, if any step was kept.
std::vector<OpenRequest> optimized_engines(const std::string& folder,
                                           const base::FileSource& files);
// The path of the record.
std::string optimize_record(const std::string& folder);

}  // namespace planex::session
