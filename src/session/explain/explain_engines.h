// What engines fuse, and on which conditions; of no one engine.
#pragma once

#include <string>

#include "planex/error.h"
#include "planex/session.h"

namespace planex::session {

// A page of Markdown. Errors: kUsage (another format).
Result<std::string> explain_engines(const View& view);

}  // namespace planex::session
