// Whole names of layers and tensors, with what can't be printed replaced.
#pragma once

#include <string>

#include "model/plan_model.h"
#include "render/words/display_width.h"

namespace planex::render {

inline std::string layer_name(const model::PlanModel& model, model::LayerId layer) {
  return printable(model.text(model.layers.name[layer.index()]));
}
inline std::string tensor_name(const model::PlanModel& model, model::TensorId tensor) {
  return printable(model.text(model.tensors.name[tensor.index()]));
}

}  // namespace planex::render
