// The topic tactics of `planex explain`.
#pragma once

#include "session/answer/format.h"
#include "session/explain/explain.h"

namespace planex::session {

// Errors: kUsage: request.layer names no layer of the log.
Result<void> explain_tactics(const EngineToExplain& engine, const ExplainRequest& request,
                             const Take& take);

}  // namespace planex::session
