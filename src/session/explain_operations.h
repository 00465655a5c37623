// `planex explain operations`: the ledger of one engine.
#ifndef PLANEX_SESSION_EXPLAIN_OPERATIONS_H_
#define PLANEX_SESSION_EXPLAIN_OPERATIONS_H_

#include "session/explain.h"
#include "session/format.h"

namespace planex::session {

Result<void> explain_operations(const EngineToExplain& engine, const ExplainRequest& request,
                                const Take& take);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPLAIN_OPERATIONS_H_
