// The topic reformats of `planex explain`.
#ifndef PLANEX_SESSION_EXPLAIN_REFORMATS_H_
#define PLANEX_SESSION_EXPLAIN_REFORMATS_H_

#include "session/explain.h"

namespace planex::session {

Result<std::string> explain_reformats(const EngineToExplain& engine, const ExplainRequest& request,
                                      const View& view);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPLAIN_REFORMATS_H_
