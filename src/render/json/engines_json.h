// Data that `planex serve` sends to its index page: planex.engines/1, and errors as planex.error/1.
// Keys are only ever added within a version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"
#include "render/fields/engines.h"

namespace planex::render {

std::string engines_json(const EngineList& list);

// The ids of engines that were dropped and opened: planex.opened/1.
std::string opened_json(const std::vector<std::string>& ids);

// The version of what an open report shows: planex.page-version/1.
std::string version_json(std::string_view version, EngineState state);

std::string error_json(const Error& error);

}  // namespace planex::render
