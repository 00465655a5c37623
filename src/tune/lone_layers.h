// Layers of a quantized model alone, all others in float: what each loses by itself, in its own
// arithmetic and in the engine's, and which cure mends what the engine does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/only.h"
#include "tune/comparison.h"

namespace planex::tune {

// Runs layers alone: those that result() speaks against most, at most request().alone of them.
// Fills their alone_simulated, alone_engine, fault, cause and cured_engine, and notes what can't be
// seen. Errors: those of Comparison::pairs() and infer(). Cost: two compilations a layer, up to six
// more for one that the engine computes wrong.
Result<void> look_at_lone_layers(Comparison& comparison);

// Writes the model with the cures of the layers' causes to request().cured, and judges it. Where
// some layers saturate and the cure of those alone leaves the engine apart, all weights get it:
// which layers overflow depends on the data. Errors: as above; kUnsupported (no layer has a known
// cause).
Result<void> write_cured(Comparison& comparison);

// The quantized layer that makes a layer's tensor; null where none does.
const quantize::QuantizedLayer* layer_of(Comparison& comparison, const PairsOfSubject& pairs,
                                         const quantize::LayerAccuracy& layer);

// Samples that one layer is judged on, at most: more change its figure little.
inline constexpr std::size_t kLoneSamples = 8;

}  // namespace planex::tune
