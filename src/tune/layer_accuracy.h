// `planex accuracy FLOAT.onnx QUANTIZED.onnx`: where a quantized model loses what, in its own
// arithmetic and in the engine's.
#ifndef PLANEX_TUNE_LAYER_ACCURACY_H_
#define PLANEX_TUNE_LAYER_ACCURACY_H_

#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/accuracy.h"
#include "tune/data.h"

namespace planex::tune {

struct LayerAccuracyRequest {
  std::string reference, subject;
  DataRequest data;
  bool has_layers = true;  // else outputs alone
  // Tensors of an engine that are looked at together, at first: more disturb it more often.
  std::size_t taps_at_once = 7;
};

// Errors: those of load_data(); kBadInput (models that have no tensor in common).
Result<quantize::LayerAccuracies> layer_accuracy(const LayerAccuracyRequest& request,
                                                 const Workshop& workshop);

}  // namespace planex::tune

#endif  // PLANEX_TUNE_LAYER_ACCURACY_H_
