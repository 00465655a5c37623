// A quantized model with some of its Q/DQ, the others in float: to see what one layer, one tensor
// or the first half of a model loses by itself. The scales that stay are the model's own.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/values.h"
#include "planex/error.h"
#include "quantize/existing.h"

namespace planex::quantize {

// A model that was read; all must outlive whoever holds it.
struct ModelView {
  const onnx::Model& model;
  const onnx::Links& links;
  onnx::Values& values;
};

// A node that computes on what DQ nodes write.
struct QuantizedLayer {
  onnx::Index node = onnx::kNoIndex;
  std::vector<std::size_t> pairs;    // Existing::pairs, in the order of its inputs
  std::vector<std::size_t> weights;  // Existing::weights; also behind a Transpose or Reshape
};

// In the order of their nodes. Cost: O(pairs, weights and their readers).
std::vector<QuantizedLayer> quantized_layers(const ModelView& subject, const Existing& existing);

// The values of a weight without its Q/DQ.
struct FloatWeight {
  // In the shape of the integers; empty: not known, as the scales are computed, or are those of
  // blocks. Such a weight stays quantized in every model.
  std::vector<float> values;
  // No weight of the float model was found: these are the integers times their scales, so that
  // what they lost can't be seen.
  bool is_dequantized = false;
  std::optional<double> sqnr_db;  // of the integers against `values`; null: equal, or dequantized
};

// Of Existing::weights, in their order. The float model's weight is the constant at the same input
// of the node that makes the same tensor; a BatchNormalization after that node is folded into it,
// as quantizers do. Errors: those of Values, of both models.
Result<std::vector<FloatWeight>> float_weights(const ModelView& subject, const Existing& existing,
                                               const ModelView& reference);

// Which Q/DQ stay.
struct Kept {
  // Whether a reader of a pair (its place in Existing::pairs) still takes what the DQ writes; else
  // it takes the float tensor. Asked without a node where the DQ writes an output of the graph.
  std::function<bool(std::size_t pair, onnx::Reader reader)> pair;
  std::function<bool(std::size_t weight)> weight;

  static Kept none();
  static Kept layer(const QuantizedLayer& layer);
};

// Adds the edits. A pair that nobody reads any more goes, a weight becomes a float initializer. Q
// and DQ of Existing::others stay.
void keep_only(const ModelView& subject, const Existing& existing,
               const std::vector<FloatWeight>& weights, const Kept& kept, onnx::Edit& edit);

}  // namespace planex::quantize
