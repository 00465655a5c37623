// `planex explain memory`.
#ifndef PLANEX_SESSION_EXPLAIN_MEMORY_H_
#define PLANEX_SESSION_EXPLAIN_MEMORY_H_

#include <string>

#include "session/explain.h"

namespace planex::session {

Result<std::string> explain_memory(const EngineToExplain& engine, const ExplainRequest& request,
                                   const View& view);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPLAIN_MEMORY_H_
