// `planex explain operations`: the ledger of one engine.
#pragma once

#include "session/explain/explain.h"
#include "session/answer/format.h"

namespace planex::session {

Result<void> explain_operations(const EngineToExplain& engine, const ExplainRequest& request,
                                const Take& take);

}  // namespace planex::session
