// Fills the columns of layers that describe what they compute: macs, flops, work_evidence,
// intensity.
#pragma once

#include "model/plan_model.h"

namespace planex::analyze {

// What a reader has filled stays (evidence producer). Otherwise, in this order:
//   parameters  the layer lists its convolution's or product's own
//   operations  of the source model that only this layer can compute; for layers for convolutions
//               that list no parameters, for those that are the operation (ONNX Runtime), and for
//               opaque ones whose dims do not show it
//   shapes      the dims of its inputs, constants and outputs
// Nothing of what lies in a loop (diagnostic work-in-loops), nor of attention and recurrent
// networks that do not list all they multiply (work-unknown). Operations must be completed.
// footprint_bytes must be filled.
void complete_work(model::PlanModel& model);

}  // namespace planex::analyze
