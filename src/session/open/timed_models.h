// What models take, of several runs of each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyze/verdict/repeated_runs.h"
#include "planex/error.h"

namespace planex::session {

// `models`: of each the engines of its runs, as `planex process` wrote them. What runs differ by is
// taken from all of them together. Errors: those of open_engine().
Result<std::vector<analyze::RepeatedMedian>> timed_models(
    std::span<const std::vector<std::string>> models);

}  // namespace planex::session
