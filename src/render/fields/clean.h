// The outcome of simplifying a model (clean/outcome.h).
#pragma once

#include "clean/outcome.h"
#include "record/fields.h"

namespace planex::render {

// planex.clean/1
const record::Document<clean::CleanOutcome>& clean_document();
// Its rows in tables.
const record::Fields<clean::DoneStep>& clean_step_fields();

}  // namespace planex::render
