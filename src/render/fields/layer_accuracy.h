// A quantized model against its float one, layer by layer (quantize/accuracy.h).
#pragma once

#include "quantize/accuracy.h"
#include "record/fields.h"

namespace planex::render {

// planex.layer-accuracy/1
const record::Document<quantize::LayerAccuracies>& layer_accuracy_document();
// Its rows in tables.
const record::Fields<quantize::LayerAccuracy>& layer_accuracy_fields();

}  // namespace planex::render
