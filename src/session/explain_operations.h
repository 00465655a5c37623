// `planex explain operations`: the ledger of one engine.
#ifndef PLANEX_SESSION_EXPLAIN_OPERATIONS_H_
#define PLANEX_SESSION_EXPLAIN_OPERATIONS_H_

#include "session/explain.h"

namespace planex::session {

Result<std::string> explain_operations(const EngineToExplain& engine, const ExplainRequest& request,
                                       const View& view);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPLAIN_OPERATIONS_H_
