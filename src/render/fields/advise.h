// The outcome of advice about a model's Q/DQ (quantize/advise_outcome.h).
#pragma once

#include "quantize/advise_outcome.h"
#include "record/fields.h"

namespace planex::render {

// planex.advise/1
const record::Document<quantize::AdviseOutcome>& advise_document();
// Its rows in tables.
const record::Fields<quantize::AdviceRow>& advice_fields();

}  // namespace planex::render
