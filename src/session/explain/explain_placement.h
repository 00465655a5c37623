// The rules that place Q/DQ; not about an open engine.
#pragma once

#include <string>
#include <string_view>

#include "planex/error.h"
#include "planex/session.h"

namespace planex::session {

// One rule, or all if `rule` is empty; only those that the target follows if one is named. Errors:
// kUsage (an unknown rule or target; the message names the nearest).
Result<std::string> explain_placement(std::string_view rule, std::string_view target,
                                      const View& view);

}  // namespace planex::session
