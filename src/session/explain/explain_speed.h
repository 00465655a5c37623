// `planex explain speed`: finds the device's limits, and hands on to analysis and renderers.
#pragma once

#include "analyze/explain/speed.h"
#include "session/explain/explain.h"
#include "session/answer/format.h"

namespace planex::session {

// The figures behind every format, for those who render them elsewhere. A CPU may be measured for
// it, which takes a second the first time.
// Errors: kUsage (no such device), those of the device table that the request names.
Result<analyze::SpeedOfLight> speed_of(const EngineToExplain& engine,
                                       const ExplainRequest& request);

// Errors: as speed_of().
Result<void> explain_speed(const EngineToExplain& engine, const ExplainRequest& request,
                           const Take& take);

}  // namespace planex::session
