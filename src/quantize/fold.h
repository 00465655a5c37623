// Folds BatchNormalization after a layer into new weights and a new bias of that layer.
#pragma once

#include <map>
#include <vector>

#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/values.h"
#include "planex/error.h"
#include "quantize/placement.h"

namespace planex::quantize {

struct FoldedLayer {
  onnx::Index normalization = onnx::kNoIndex;  // the node that is removed
  onnx::Index weight = onnx::kNoIndex;         // Model::tensors
  std::vector<float> weights;                  // in the shape of that tensor
  std::vector<float> bias;                     // one per channel of the output
};

// By layer: the Conv, ConvTranspose and Gemm of the placement whose output is read only by a
// BatchNormalization with constant parameters, and whose weight is not shared. Errors: those of
// Values.
Result<std::map<onnx::Index, FoldedLayer>> fold_normalizations(const onnx::Model& model,
                                                               const onnx::Links& links,
                                                               onnx::Values& values,
                                                               const Placement& placement);

}  // namespace planex::quantize
