// The options of verbs that build and measure engines.
#pragma once

#include "drive/driver.h"
#include "drive/sweep_options.h"
#include "session/verbs/option.h"

namespace planex::session {

// Bound to the request, which they are not to outlive.
Options options_of(drive::ProcessRequest& request);
Options options_of(drive::SweepOptions& request);

// Lets "engine" be one that has a driver.
void choose_engine(Options& options);

}  // namespace planex::session
