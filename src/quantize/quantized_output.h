// Where ONNX Runtime wants the pair behind a layer: it runs a layer on 8 bits only where what it
// writes is quantized, too (placement rule quantized-output).
#pragma once

#include "quantize/flow.h"

namespace planex::quantize {

// The tensor to quantize: behind a BatchNormalization or bias that alone reads the layer, and of a
// Conv or Gemm behind a Relu or Clip, too. kNoTensor: the layer may write floats, as a MatMul or
// Gemm without a bias does. `can_fold`: its weight is its own, so that a BatchNormalization can be
// folded into it.
TensorId quantized_output(const Flow& flow, onnx::Index layer, bool can_fold);

// The Relu or Clip that alone reads a product, or its bias, and of which others read what it
// writes: ONNX Runtime then makes no MatMulNBits of the product (engine rule
// ort-weights-of-products). kNoIndex: there is none.
onnx::Index clamp_behind(const Flow& flow, onnx::Index product);

// The Add, Mul, Concat, Sigmoid or LeakyRelu that writes the tensor, directly or through a Relu
// that alone reads it; kNoIndex: something else does.
onnx::Index operation_before(const Flow& flow, TensorId tensor);

// A Relu or Sigmoid writes it, maybe through what only moves values.
bool is_never_negative(const Flow& flow, TensorId tensor);

}  // namespace planex::quantize
