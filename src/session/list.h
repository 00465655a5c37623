// The engines below some folders, one per row.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/files.h"
#include "planex/list.h"
#include "planex/session.h"
#include "session/open/engine.h"

namespace planex::session {

EngineOverview overview_of(const Engine& engine);

// Paths that each open one engine, in the order of the folders, which are searched `depth` deep.
// Hidden folders are skipped. Errors: kNotFound.
Result<std::vector<std::string>> engines_below(const std::string& path, std::size_t depth,
                                               const base::FileSource& files);

}  // namespace planex::session
