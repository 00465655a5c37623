// The topic precision of `planex explain`.
#ifndef PLANEX_SESSION_EXPLAIN_PRECISION_H_
#define PLANEX_SESSION_EXPLAIN_PRECISION_H_

#include "session/explain.h"
#include "session/format.h"

namespace planex::session {

Result<void> explain_precision(const EngineToExplain& engine, const ExplainRequest& request,
                               const Take& take);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPLAIN_PRECISION_H_
