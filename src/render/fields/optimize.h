// planex.optimize/1.
#pragma once

#include "analyze/optimize/outcome.h"
#include "record/fields.h"

namespace planex::render {

const record::Fields<analyze::OptimizeStep>& optimize_step_fields();
const record::Document<analyze::OptimizeOutcome>& optimize_document();

}  // namespace planex::render
