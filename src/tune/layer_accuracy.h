// `planex accuracy FLOAT.onnx QUANTIZED.onnx`: where a quantized model loses accuracy, in its own
// arithmetic and in the engine's, and what is at fault.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/accuracy.h"
#include "tune/data.h"

namespace planex::tune {

struct LayerAccuracyRequest {
  std::string reference;
  std::string subject;  // empty, of an engine's saved outputs: `reference` has Q/DQ, or none
  // Outputs that an engine saved, instead of those of OpenVINO: saved_engine.h. Layers are then not
  // analyzed.
  std::string engine_outputs;
  std::string runner;  // which run of that file; empty: the only one
  DataRequest data;
  std::vector<std::string> metrics;  // the user's own programs: scores.h
  bool has_layers = true;            // else only outputs
  // How many tensors of an engine are tapped together, at first: more disturb it more often.
  std::size_t taps_at_once = 7;
  // How many layers are run with all others in float, at most: the top suspects.
  std::size_t alone = 4;
  // Where to write the model with workarounds for the engine's faults; empty: nowhere.
  std::string cured;
  bool bisects = false;  // find the one tensor or layer that loses most
  // How many tensors get a picture of where the differences are, at most: those that lose most.
  std::size_t maps = 0;
  // Where to write the smallest model around the fault, with the same part in float and its inputs
  // next to it (extract.h); empty: nowhere.
  std::string extracted;
};

// Errors: those of load_data(); kBadInput (models without a common tensor); kUnsupported (`cured`:
// no layer has a fault with a known cure; `extracted`: nothing is at fault).
Result<quantize::LayerAccuracies> layer_accuracy(const LayerAccuracyRequest& request,
                                                 const Workshop& workshop);

}  // namespace planex::tune
