// Predicts how often an engine would copy tensors of a model into another layout: convolutions
// compute with channels last, operations that depend on the order of elements (Reshape, Softmax) in
// the model's own order, with a copy between the two.
#pragma once

#include <cstdint>
#include <optional>

#include "model/plan_model.h"

namespace planex::analyze {

struct LayoutCopies {
  std::int64_t at_inputs = 0, inside = 0, at_outputs = 0;
  std::int64_t count() const { return at_inputs + inside + at_outputs; }
};

// For OpenVINO's CPU plugin. Null for engines, for models without convolutions, and where the model
// contains something for which no built engine showed what OpenVINO does: a Transpose or an
// addition of two layouts in the way of convolutions, operators in integers, branches, sizes that
// are not known. Linear in layers and ports.
std::optional<LayoutCopies> forecast_openvino_copies(const model::PlanModel& model);

struct EdgeCopies {
  std::optional<std::int64_t> at_inputs, at_outputs;
};

// For TensorRT-RTX, at the edges only: what it copies inside is fused into kernels that also
// compute something. Null as above; a side is also null where an input is read by something other
// than convolutions, or an output is not written by one.
EdgeCopies forecast_tensorrt_rtx_copies(const model::PlanModel& model);

}  // namespace planex::analyze
