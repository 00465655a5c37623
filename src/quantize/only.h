// A quantized model with some of its Q/DQ and the rest in float: it shows what one layer, one
// tensor or the first half of a model loses by itself. The scales that stay are the model's own.
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

// A model that was read; all must outlive the objects that refer to it.
struct ModelView {
  const onnx::Model& model;
  const onnx::Links& links;
  onnx::Values& values;
};

// A node that computes on the output of DQ nodes.
struct QuantizedLayer {
  onnx::Index node = onnx::kNoIndex;
  std::vector<std::size_t> pairs;    // Existing::pairs, in the order of its inputs
  std::vector<std::size_t> weights;  // Existing::weights; also through a Transpose or Reshape
};

// In the order of their nodes. Cost: O(pairs, weights and their readers).
std::vector<QuantizedLayer> quantized_layers(const ModelView& subject, const Existing& existing);

// The values of a weight without its Q/DQ.
struct FloatWeight {
  // In the shape of the integers; empty: unknown, because the scales are computed or belong to
  // blocks. Such a weight stays quantized in every model.
  std::vector<float> values;
  // The float model has no matching weight: these are the integers times their scales, so their
  // loss can't be seen.
  bool is_dequantized = false;
  std::optional<double> sqnr_db;  // of the integers against `values`; null: equal, or dequantized
};

// For Existing::weights, in their order. The float model's weight is the constant at the same input
// of the node that makes the same tensor; a BatchNormalization after that node is folded into it,
// as quantizers do. Errors: those of Values, for both models.
Result<std::vector<FloatWeight>> float_weights(const ModelView& subject, const Existing& existing,
                                               const ModelView& reference);

// Which Q/DQ stay.
struct Kept {
  // Whether a reader of a pair (its place in Existing::pairs) still reads what the DQ writes; else
  // it reads the float tensor. Called without a node where the DQ writes an output of the graph.
  std::function<bool(std::size_t pair, onnx::Reader reader)> pair;
  std::function<bool(std::size_t weight)> weight;

  static Kept none();
  static Kept layer(const QuantizedLayer& layer);
};

// Adds the edits. A pair that nothing reads any more is removed, a weight becomes a float
// initializer. Q and DQ of Existing::others stay.
void keep_only(const ModelView& subject, const Existing& existing,
               const std::vector<FloatWeight>& weights, const Kept& kept, onnx::Edit& edit);

}  // namespace planex::quantize
