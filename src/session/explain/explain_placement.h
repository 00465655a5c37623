// The rules by which Q/DQ are placed; of no engine.
#pragma once

#include <string>
#include <string_view>

#include "planex/error.h"
#include "planex/session.h"

namespace planex::session {

// One rule, or all where `rule` is empty; only those that the target follows where one is named.
// Errors: kUsage (an unknown rule or target, with the nearest).
Result<std::string> explain_placement(std::string_view rule, std::string_view target,
                                      const View& view);

}  // namespace planex::session
