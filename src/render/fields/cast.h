// The outcome of casting a model (quantize/cast_outcome.h).
#pragma once

#include "quantize/cast_outcome.h"
#include "record/fields.h"

namespace planex::render {

// planex.cast/1
const record::Document<quantize::CastOutcome>& cast_document();
// Its rows in tables.
const record::Fields<quantize::CastKept>& cast_kept_fields();

}  // namespace planex::render
