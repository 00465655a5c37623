// Writes a placement with its scales into the model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/values.h"
#include "quantize/placement.h"

namespace planex::quantize {

inline constexpr std::uint8_t kMiddleZeroPoint = 128;

struct ZeroPoint {
  bool is_unsigned = false;  // uint8, else int8 or FP8
  std::uint8_t value = 0;    // of these always 0
};

struct RewriteOptions {
  std::vector<float> scales;  // of Placement::tensors, in their order; positive
  // For the same tensors; empty: 0 for int8, or 128 for uint8 where the placement wants that.
  // Tensors of one scale_group must have one.
  std::vector<ZeroPoint> zero_points;
  NumberFormat format = NumberFormat::kInt8;  // that the placement is made for
  int weight_bits = 8;                        // for kInt8: 8: +-127; 7: +-63
  std::int64_t opset = 0;  // opset to raise the model to; 0: 13 (FP8: 19, INT4: 21), or the model's
                           // own where it is higher
};

// The outcome for a weight.
struct WeightScales {
  std::string weight;
  std::vector<float> scales;      // one per channel or block
  std::optional<double> sqnr_db;  // null: without signal, or without error
};

// Adds the edits: BatchNormalization after a quantized Conv is folded into it, weights become
// initializers of the format with a DQ per channel or block, tensors get a Q and a DQ that their
// readers share. Dead channels get the smallest scale that targets accept, never 0. Errors:
// kUnsupported (opset), kBadInput (NaN or infinity in a weight, with its name).
Result<std::vector<WeightScales>> rewrite(const onnx::Model& model, const onnx::Links& links,
                                          onnx::Values& values, const Placement& placement,
                                          const RewriteOptions& options, onnx::Edit& edit);

}  // namespace planex::quantize
