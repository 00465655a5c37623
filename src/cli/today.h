// The date that decides whether waivers have expired.
#pragma once

#include <string>

#include "planex/error.h"

namespace planex::cli {

// As 2026-10-01, in UTC: from SOURCE_DATE_EPOCH if it is set, for reproducible builds
// (https://reproducible-builds.org/specs/source-date-epoch/), else from the clock. Errors: kUsage
// if SOURCE_DATE_EPOCH is not a number of seconds.
Result<std::string> today();

}  // namespace planex::cli
