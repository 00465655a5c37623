// What the document about two sets of tensors says (arrays/accuracy.h).
#pragma once

#include "arrays/accuracy.h"
#include "record/fields.h"

namespace planex::render {

const record::Fields<arrays::Slice>& slice_fields();
// The fields of a difference that describe its slices.
const record::Fields<arrays::Difference>& sliced_fields();
const record::Fields<arrays::TensorAccuracy>& tensor_accuracy_fields();
// planex.accuracy/1
const record::Document<arrays::AccuracyReport>& accuracy_document();

}  // namespace planex::render
