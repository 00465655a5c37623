// Advice in the words of the tool that made the engine: the remedy is the same everywhere, what to
// type is not.
#pragma once

#include <string>
#include <string_view>

#include "lint/context.h"

namespace planex::lint {

enum class Producer : std::uint8_t { kTensorRt, kTensorRtRtx, kOpenVino, kOnnxRuntime, kOther };
Producer producer_of(const Context& context);

// "trtexec", "tensorrt_rtx"; for engines of TensorRT and TensorRT-RTX.
std::string_view runner_of(const Context& context);

// Phrases that begin in lower case, for use inside a sentence.
// "lock the clocks (nvidia-smi --lock-gpu-clocks)".
std::string steady_clock_advice(const Context& context);
// "warm up longer (trtexec --warmUp, in ms)".
std::string warm_up_advice(const Context& context);
// "profile at least a hundred inferences (trtexec --iterations=100)".
std::string more_inferences_advice(const Context& context);
// "let the caller pass "x" as FP16 NHWC8 (trtexec --inputIOFormats)". `port`: the form that the
// engine reads or writes there.
std::string edge_advice(const Context& context, TensorId tensor, PortRow port, bool at_input);

// Whether a caller of the engine can pass or read a tensor in the port's layout: OpenVINO and ONNX
// Runtime bind plain layouts, TensorRT also those with channels in vectors.
bool caller_can_bind(const Context& context, PortRow port);
// FP16 or BF16 would run faster as far as is known: not on a CPU if no file says that it computes
// in them, and not with the CPU provider of ONNX Runtime, which has only FP32 kernels.
bool has_half_kernels(const Context& context);
// What the files say about the CPU's instructions, if that includes BF16; otherwise empty.
std::string_view bfloat16_evidence(const Context& context);

// "Let …": the first letter in upper case.
std::string as_sentence(std::string phrase);

}  // namespace planex::lint
