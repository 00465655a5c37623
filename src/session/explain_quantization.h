// The topic quantization of `planex explain`.
#ifndef PLANEX_SESSION_EXPLAIN_QUANTIZATION_H_
#define PLANEX_SESSION_EXPLAIN_QUANTIZATION_H_

#include "session/explain.h"

namespace planex::session {

Result<std::string> explain_quantization(const EngineToExplain& engine,
                                         const ExplainRequest& request, const View& view);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPLAIN_QUANTIZATION_H_
