// Writes a placement with its scales into the model.
#ifndef PLANEX_QUANTIZE_REWRITE_H_
#define PLANEX_QUANTIZE_REWRITE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/values.h"
#include "quantize/placement.h"

namespace planex::quantize {

struct RewriteOptions {
  std::vector<float> scales;  // of Placement::tensors, in their order; positive
  int weight_bits = 8;        // 8: +-127; 7: +-63
  std::int64_t opset = 0;     // to raise to; 0: 13, or the model's own where it is higher
};

// What became of a weight.
struct WeightScales {
  std::string weight;
  std::vector<float> scales;      // one a channel
  std::optional<double> sqnr_db;  // null: without signal, or without error
};

// Adds the edits: BatchNormalization after a quantized Conv is folded into it, weights become int8
// initializers with a DQ per channel, tensors get a Q and a DQ that their readers share. Dead
// channels get the smallest scale that targets accept, never 0. Zero points are 0, or 128 of uint8.
// Errors: kUnsupported (opset), kBadInput (NaN or infinity in a weight: names it).
Result<std::vector<WeightScales>> rewrite(const onnx::Model& model, const onnx::Links& links,
                                          onnx::Values& values, const Placement& placement,
                                          const RewriteOptions& options, onnx::Edit& edit);

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_REWRITE_H_
