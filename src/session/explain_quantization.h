// The topic quantization of `planex explain`.
#ifndef PLANEX_SESSION_EXPLAIN_QUANTIZATION_H_
#define PLANEX_SESSION_EXPLAIN_QUANTIZATION_H_

#include "session/explain.h"
#include "session/format.h"

namespace planex::session {

Result<void> explain_quantization(const EngineToExplain& engine, const ExplainRequest& request,
                                  const Take& take);

}  // namespace planex::session

#endif  // PLANEX_SESSION_EXPLAIN_QUANTIZATION_H_
