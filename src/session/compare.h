// `planex compare`: the parts of a comparison in the formats they have.
#ifndef PLANEX_SESSION_COMPARE_H_
#define PLANEX_SESSION_COMPARE_H_

#include "analyze/compare.h"
#include "planex/session.h"

namespace planex::session {

analyze::CompareOptions to_options(const CompareRequest& request);

// Errors: kUsage: the part has no such format; no such pair or engine; bad `only`.
Result<CompareResult> compare(const analyze::Comparison& comparison, const CompareRequest& request,
                              const View& view);

}  // namespace planex::session

#endif  // PLANEX_SESSION_COMPARE_H_
