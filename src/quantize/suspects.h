// Which layers of a quantized model to look at alone, from what was seen of all tensors together.
//
// A tensor's noise came with its inputs or was made in its layer. What it has more of than any of
// its inputs makes the layer a suspect; only running it alone tells.
#pragma once

#include <cstddef>
#include <vector>

#include "onnx/model.h"
#include "quantize/accuracy.h"

namespace planex::quantize {

struct Suspicion {
  std::size_t layer = 0;  // place in the layers
  // How many dB more the engine lost here, beside the model's own arithmetic, than at any input.
  double engine_db = 0;
  // Noise that the model's own arithmetic has here beyond that of any input, as a part of the
  // signal's power.
  double model_noise = 0;
};

// Worst first: those of the side that is at fault for the outputs, then those of the other. Layers
// that nothing speaks against are left out. `model`: the float model, whose tensors the layers
// name. Cost: O(nodes and their inputs).
std::vector<Suspicion> suspects(const onnx::Model& model, const std::vector<LayerAccuracy>& layers,
                                Fault fault);

}  // namespace planex::quantize
