// `planex explain operations`: the ledger of one engine.
#pragma once

#include "session/answer/format.h"
#include "session/explain/explain.h"

namespace planex::session {

Result<void> explain_operations(const EngineToExplain& engine, const ExplainRequest& request,
                                const Take& take);

}  // namespace planex::session
