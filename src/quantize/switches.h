// A quantized model whose layers can be switched between float and INT8 while it runs: compiled
// once, it shows what each layer loses alone.
//
// A layer with its switch at 0 gives what the float model gives; at 1 what the quantized one gives;
// both are computed. The scales are the quantized model's.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "onnx/edit.h"
#include "planex/error.h"
#include "quantize/existing.h"
#include "quantize/only.h"

namespace planex::quantize {

struct Switches {
  // The graph's new input: float32, one value per switch, for the layers in their order.
  std::string input;
  std::size_t count = 0;
  // The last switch is that of the pairs that belong to no layer: another node reads them, and not
  // exactly one layer behind it gets their values.
  bool has_rest = false;
};

// Adds the edits. `layers`: nodes of the quantized model, each once. `weights`: those of
// Existing::weights. Errors: kUnsupported (a weight whose float values are unknown, or that a layer
// does not read directly; types other than float32).
Result<Switches> add_switches(const ModelView& subject, const Existing& existing,
                              const std::vector<FloatWeight>& weights,
                              std::span<const onnx::Index> layers, onnx::Edit& edit);

}  // namespace planex::quantize
