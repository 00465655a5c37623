// Emulates a model in float16, bfloat16 or FP8 on a CPU that has no arithmetic for these types.
//
// OpenVINO computes such a model in float32 there and drops its Casts, so that only the weights are
// rounded. Here each tensor of a small type is rounded to it, as ONNX specifies: an operation
// computes in float32, its result is float16. Kernels that fuse several operations round less
// often.
//
// QuantizeLinear to FP8 is a FakeConvert, which OpenVINO computes by way of float16: some values
// are rounded twice. Here they are rounded once, as ONNX specifies.
#pragma once

#include <openvino/core/model.hpp>
#include <span>

namespace planex::drive {

// To the nearest, ties to even; beyond the range infinity; subnormals are kept.
void round_to_half(std::span<const float> from, std::span<float> to);
void round_to_bfloat16(std::span<const float> from, std::span<float> to);

// To FLOAT8E4M3FN: to the nearest, ties to even; beyond the range the greatest value.
void round_to_float8(std::span<const float> from, std::span<float> to);

// Adds a rounding after each tensor of float16 or bfloat16 that has a name in the file; the
// rounding takes over the name. Values that are only moved are left alone. Quantization to FP8 is
// rounded here in place of OpenVINO's own step. A model without such tensors is not changed. Cost:
// O(operations).
void round_small_floats(ov::Model& model);

}  // namespace planex::drive
