// `planex compare`: the parts of a comparison, in the formats that they support.
#pragma once

#include "analyze/compare/compare.h"
#include "planex/session.h"
#include "session/answer/format.h"

namespace planex::session {

analyze::CompareOptions to_options(const CompareRequest& request);

// The whole as a document, and the rows of the part that the request names: totals, pairs, the
// ledger or summaries. Errors: kUsage: a single pair has no rows; bad `only`; those of `take`.
Result<void> compare(const analyze::Comparison& comparison, const CompareRequest& request,
                     const Take& take);

// Errors: kUsage: the part has no such format; no such pair or engine; bad `only`.
Result<CompareResult> compare(const analyze::Comparison& comparison, const CompareRequest& request,
                              const View& view);

}  // namespace planex::session
