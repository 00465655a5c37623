// Layers of a quantized model alone, with all others in float: what each loses by itself, in its
// own arithmetic and in the engine's, and which cure fixes what the engine does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/only.h"
#include "tune/comparison.h"

namespace planex::tune {

// Runs layers alone: the top suspects of result(), at most request().alone of them. Fills their
// alone_simulated, alone_engine, fault, cause and cured_engine, and adds notes about what can't be
// seen. Errors: those of Comparison::pairs() and infer(). Cost: two compilations per layer, up to
// six more for a layer that the engine computes wrong.
Result<void> look_at_lone_layers(Comparison& comparison);

// Writes the model with the cures for the layers' causes to request().cured, and judges it. Where
// some layers saturate and their cure alone does not bring the engine back to the simulation, all
// weights get it: which layers overflow depends on the data. Errors: as above; kUnsupported (no
// layer has a known cause).
Result<void> write_cured(Comparison& comparison);

// The quantized layer that makes a layer's tensor; null where none does.
const quantize::QuantizedLayer* layer_of(Comparison& comparison, const PairsOfSubject& pairs,
                                         const quantize::LayerAccuracy& layer);

// Samples that one layer is judged on, at most: more change its result little.
inline constexpr std::size_t kLoneSamples = 8;

}  // namespace planex::tune
