// Why a model has no layer that can be quantized, and what to do.
#pragma once

#include "planex/error.h"
#include "quantize/placement.h"

namespace planex::quantize {

Failure nothing_to_quantize(const PlacementOptions& options, const Placement& placement);

}  // namespace planex::quantize
