// The topic reformats of `planex explain`.
#pragma once

#include "session/answer/format.h"
#include "session/explain/explain.h"

namespace planex::session {

Result<void> explain_reformats(const EngineToExplain& engine, const ExplainRequest& request,
                               const Take& take);

}  // namespace planex::session
