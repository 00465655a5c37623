// Factors and shifts per channel behind a layer with weights, folded into those.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "clean/passes.h"

namespace planex::clean {

// What is computed from each channel of a layer's output: value * factor + shift.
struct Affine {
  std::vector<double> factors, shifts;  // one per channel
};

// A layer whose weight and bias are float32 constants of its own: Conv, ConvTranspose, Gemm, and
// MatMul, which can't take a shift.
struct Layer {
  NodeId node = kNone;
  std::size_t channels = 0;
  std::size_t channel_axis = 0;  // of the output
  std::size_t rank = 0;          // of the output
};

// Null: no such layer, or one beside Q/DQ, or its output has other readers.
std::optional<Layer> layer_making(Draft& draft, TensorId tensor);

// Constants of a Mul, Add, Sub or Div as one number for each channel of the layer's output; null
// where they differ within a channel, or broadcast to a larger shape.
std::optional<std::vector<double>> per_channel(Draft& draft, const Layer& layer, TensorId constant);

// Gives the layer another weight and bias. False: it stays as it is.
bool fold_affine(Work& work, const Layer& layer, const Affine& affine);

}  // namespace planex::clean
