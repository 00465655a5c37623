// The day on which waivers expire or hold.
#pragma once

#include <string>

#include "planex/error.h"

namespace planex::cli {

// As 2026-10-01: of SOURCE_DATE_EPOCH where it is set, so that a build that must be repeatable is
// (https://reproducible-builds.org/specs/source-date-epoch/), else of the clock, in UTC. Errors:
// kUsage where that is no number of seconds.
Result<std::string> today();

}  // namespace planex::cli
