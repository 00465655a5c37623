// Fields that pairs, types and differences of engines share.
#pragma once

#include "analyze/verdict/layer_noise.h"
#include "record/fields.h"
#include "render/fields/compare.h"

namespace planex::render {

// One pair of the document.
const record::Fields<PairRow, CompareContext>& pair_fields();
// The interval of a change.
const record::Fields<analyze::LayerChange>& interval_fields();
// Whether it is more than noise.
const record::Fields<analyze::LayerChange>& exceeds_noise_fields();

}  // namespace planex::render
