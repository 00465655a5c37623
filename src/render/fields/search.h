// Which layers of a quantized model stay in float (quantize/search_outcome.h).
#pragma once

#include "quantize/search_outcome.h"
#include "record/fields.h"

namespace planex::render {

// planex.search/1
const record::Document<quantize::SearchOutcome>& search_document();
// Its rows in tables.
const record::Fields<quantize::SearchLayer>& search_layer_fields();

}  // namespace planex::render
