// Chooses which layers of a quantized model to run alone, from what was seen of all tensors
// together.
//
// A tensor's noise came with its inputs or was added by its layer. If it has more noise than any of
// its inputs, the layer is a suspect; only running it alone gives certainty.
#pragma once

#include <cstddef>
#include <vector>

#include "onnx/model.h"
#include "quantize/accuracy.h"

namespace planex::quantize {

struct Suspicion {
  std::size_t layer = 0;  // place in the layers
  // How many dB more than at any input the engine lost here, compared with the model's own
  // arithmetic.
  double engine_db = 0;
  // Noise that the model's own arithmetic has here beyond that of any input, as a share of the
  // signal's power.
  double model_noise = 0;
};

// Worst first: those of the side that is at fault for the outputs, then those of the other side.
// Layers without any evidence against them are left out. `model`: the float model, whose tensors
// the layers name. Cost: O(nodes and their inputs).
std::vector<Suspicion> suspects(const onnx::Model& model, const std::vector<LayerAccuracy>& layers,
                                Fault fault);

}  // namespace planex::quantize
