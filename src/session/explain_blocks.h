// `planex explain blocks`.
#ifndef PLANEX_SESSION_EXPLAIN_BLOCKS_H_
#define PLANEX_SESSION_EXPLAIN_BLOCKS_H_

#include <string>

#include "session/explain.h"

namespace planex::session {

Result<std::string> explain_blocks(const EngineToExplain& engine, const ExplainRequest& request,
                                   const View& view);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPLAIN_BLOCKS_H_
