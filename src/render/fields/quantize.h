// The outcome of quantizing a model (quantize/outcome.h).
#pragma once

#include "arrays/difference.h"
#include "quantize/outcome.h"
#include "record/fields.h"

namespace planex::render {

// planex.quantize/1
const record::Document<quantize::Outcome>& quantize_document();
// How far an output of one run is from that of another.
const record::Fields<quantize::JudgedTensor>& judged_fields();
// Results against labels, and from the user's own programs.
const record::Fields<quantize::LabelScore>& label_fields();
const record::Fields<quantize::MetricScore>& metric_fields();
// A file rejected as a sample.
const record::Fields<quantize::RefusedSample>& refused_fields();
// Its rows in tables.
const record::Fields<quantize::QuantizedTensor>& quantized_tensor_fields();

}  // namespace planex::render
