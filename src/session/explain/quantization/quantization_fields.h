// What the documents about quantization say (analyze/explain/quantization.h).
#pragma once

#include "analyze/quantization/quantization.h"
#include "record/fields.h"

namespace planex::session::quantization_topic {

// One convolution or matrix product as the table has it.
const record::Fields<analyze::QuantizationRow, model::PlanModel>& quantization_row_fields();
// planex.explain-quantization/2
const record::Document<analyze::QuantizationExplanation, model::PlanModel>& quantization_document();

}  // namespace planex::session::quantization_topic
