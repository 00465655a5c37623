// Where ONNX Runtime needs the pair after a layer: it runs a layer on 8 bits only where its output
// is also quantized (placement rule quantized-output).
#pragma once

#include "quantize/flow.h"

namespace planex::quantize {

// The tensor to quantize: after a BatchNormalization or bias that is the only reader of the layer,
// and for a Conv or Gemm also after a Relu or Clip. kNoTensor: the layer can write floats, as a
// MatMul or Gemm without a bias does. `can_fold`: its weight is not shared, so a BatchNormalization
// can be folded into it.
TensorId quantized_output(const Flow& flow, onnx::Index layer, bool can_fold);

// The Relu or Clip that is the only reader of a product, or of its bias, and whose output is read
// by others: ONNX Runtime then does not turn the product into MatMulNBits (engine rule
// ort-weights-of-products). kNoIndex: there is none.
onnx::Index clamp_behind(const Flow& flow, onnx::Index product);

// The Add, Mul, Concat, Sigmoid or LeakyRelu that writes the tensor, directly or through a Relu
// that is the only reader; kNoIndex: something else writes it.
onnx::Index operation_before(const Flow& flow, TensorId tensor);

// A Relu or Sigmoid writes it, maybe through nodes that only move values.
bool is_never_negative(const Flow& flow, TensorId tensor);

}  // namespace planex::quantize
