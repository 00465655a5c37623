// From the values seen in the placed tensors to the scale and zero point of each.
#pragma once

#include <span>
#include <vector>

#include "quantize/outcome.h"
#include "quantize/placement_rules.h"
#include "quantize/rewrite.h"
#include "quantize/thresholds.h"

namespace planex::quantize {

// Sets QuantizedTensor::encoding from min, max and is_unsigned, which says what the placement
// wants. Tensors of one scale_group get the same. For OpenVINO a range of which a signed scale
// would leave a quarter or more empty is shifted: rule unsigned-activations. In FP8 there is only
// one encoding.
void choose_encodings(std::span<QuantizedTensor> tensors, Target target,
                      NumberFormat format = NumberFormat::kInt8);

struct TensorScale {
  double threshold = 0;  // largest |x| that the scale covers; never 0
  float scale = 0;       // size of one step; positive
  ZeroPoint zero_point;
  Levels levels;
};

// For each tensor, in their order; those of one scale_group share everything: the largest
// threshold, the widest range. A tensor that is 0 throughout gets the threshold 1. Cost: that of
// threshold().
std::vector<TensorScale> choose_scales(std::span<const QuantizedTensor> tensors,
                                       const MethodOptions& method);

RewriteOptions rewrite_options(std::span<const TensorScale> scales);

}  // namespace planex::quantize
