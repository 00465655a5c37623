// What the name of a kernel reveals: the type it computes in, and whether it uses matrix units.
#pragma once

#include <optional>
#include <string_view>

#include "model/types.h"

namespace planex::analyze {

struct KernelFacts {
  // The type of the multiplications: TF32 for f32f32_tf32f32_f32, INT8 for i8f32_i8i32_f32.
  model::DType compute = model::DType::kNull;
  // Matrix units: NVIDIA's Tensor Cores, Intel's AMX. Nothing where the name does not show it.
  std::optional<bool> tensor_cores;
};

// `tactic` is a kernel's name as written by TensorRT, cuDNN, cuBLAS, CUTLASS or oneDNN;
// `implementation` is the layer's own kind (CudaDepthwiseConvolution), which decides where a layer
// has only one kernel and so writes no name. Either can be empty. Case does not matter.
KernelFacts kernel_facts(std::string_view tactic, std::string_view implementation = {});

}  // namespace planex::analyze
