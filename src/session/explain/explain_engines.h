// What engines fuse, and under which conditions; not about an open engine.
#pragma once

#include <string>

#include "planex/error.h"
#include "planex/session.h"

namespace planex::session {

// A page of Markdown. Errors: kUsage (another format).
Result<std::string> explain_engines(const View& view);

}  // namespace planex::session
