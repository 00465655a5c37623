// `planex explain blocks`.
#ifndef PLANEX_SESSION_EXPLAIN_BLOCKS_H_
#define PLANEX_SESSION_EXPLAIN_BLOCKS_H_

#include "session/explain.h"
#include "session/format.h"

namespace planex::session {

Result<void> explain_blocks(const EngineToExplain& engine, const ExplainRequest& request,
                            const Take& take);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPLAIN_BLOCKS_H_
