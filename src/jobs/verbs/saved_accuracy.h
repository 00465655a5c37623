// The part of `planex accuracy` that compares saved tensors.
#pragma once

#include "jobs/verbs/accuracy.h"

namespace planex::jobs {

// Errors: those of open_arrays() and compare_arrays(); kUsage (a run that is not there, or no
// second one).
Result<Answer> compare_saved(const AccuracyRequest& request, const Context& context);

}  // namespace planex::jobs
