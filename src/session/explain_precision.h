// The topic precision of `planex explain`.
#pragma once

#include "session/explain.h"
#include "session/format.h"

namespace planex::session {

Result<void> explain_precision(const EngineToExplain& engine, const ExplainRequest& request,
                               const Take& take);

}  // namespace planex::session
