// Models in INT8 that steps of `planex optimize` build on.
#pragma once

#include <string>
#include <vector>

#include "jobs/optimize/proposals.h"
#include "jobs/optimize/recipe.h"
#include "planex/error.h"
#include "quantize/thresholds.h"

namespace planex::jobs {

// The model in INT8, as make_int8() makes it, from there if that was done before; without a
// recipe's model, and with a reason, if there is nothing to quantize.
Result<MadeInt8> int8_of(const ProposalNeeds& needs, const Recipe& from, const std::string& folder);

// The same with these nodes in float, and scales by this method.
Result<Made> make_int8_except(const ProposalNeeds& needs, const Recipe& from,
                              const std::string& folder, const std::vector<std::string>& kept,
                              const quantize::MethodOptions& method);

// Errors: kCancelled, if there is no time left for another model.
Result<void> still_in_time(const ProposalNeeds& needs);

}  // namespace planex::jobs
