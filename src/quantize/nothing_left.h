// Why a model has no layer that can be quantized, and what to do.
#ifndef PLANEX_QUANTIZE_NOTHING_LEFT_H_
#define PLANEX_QUANTIZE_NOTHING_LEFT_H_

#include "planex/error.h"
#include "quantize/placement.h"

namespace planex::quantize {

Failure nothing_to_quantize(const PlacementOptions& options, const Placement& placement);

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_NOTHING_LEFT_H_
