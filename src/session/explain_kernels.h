// The topic kernels of `planex explain`.
#ifndef PLANEX_SESSION_EXPLAIN_KERNELS_H_
#define PLANEX_SESSION_EXPLAIN_KERNELS_H_

#include "session/explain.h"

namespace planex::session {

Result<std::string> explain_kernels(const EngineToExplain& engine, const ExplainRequest& request,
                                    const View& view);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPLAIN_KERNELS_H_
