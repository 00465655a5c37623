// `planex accuracy FLOAT.onnx QUANTIZED.onnx`: where a quantized model loses what, in its own
// arithmetic and in the engine's, and who is at fault.
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
  // Outputs that an engine saved, in place of those of OpenVINO's: saved_engine.h. Nothing is found
  // out about layers then.
  std::string engine_outputs;
  std::string runner;  // which run of that file; empty: the only one
  DataRequest data;
  std::vector<std::string> metrics;  // programs of the user's own: scores.h
  bool has_layers = true;            // else outputs alone
  // Tensors of an engine that are looked at together, at first: more disturb it more often.
  std::size_t taps_at_once = 7;
  // Layers that are run with all others in float, at most: those that most speaks against.
  std::size_t alone = 4;
  // Where the model with the cures of the engine's faults is written; empty: nowhere.
  std::string cured;
  bool bisects = false;  // find the one tensor or layer that loses most
  // Tensors to draw a picture of where the differences lie in, at most: those that lose most.
  std::size_t maps = 0;
  // Where the smallest model around the fault is written, with the same part in float and its
  // inputs beside it (extract.h); empty: nowhere.
  std::string extracted;
};

// Errors: those of load_data(); kBadInput (models that have no tensor in common); kUnsupported
// (`cured`: no layer has a fault whose cure is known; `extracted`: nothing is at fault).
Result<quantize::LayerAccuracies> layer_accuracy(const LayerAccuracyRequest& request,
                                                 const Workshop& workshop);

}  // namespace planex::tune
