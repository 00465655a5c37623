// The times of models, from several runs of each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyze/verdict/repeated_runs.h"
#include "planex/error.h"

namespace planex::session {

// `models`: for each, the engines of its runs, as `planex process` wrote them. The spread between
// runs is estimated from all models together. Errors: those of open_engine().
Result<std::vector<analyze::RepeatedMedian>> timed_models(
    std::span<const std::vector<std::string>> models);

}  // namespace planex::session
