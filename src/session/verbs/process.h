// The options of `planex process`.
#pragma once

#include "drive/driver.h"
#include "session/verbs/option.h"

namespace planex::session {

// Bound to the request, which they are not to outlive.
Options options_of(drive::ProcessRequest& request);

}  // namespace planex::session
