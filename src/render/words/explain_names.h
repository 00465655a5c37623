// Names and ends of tensors as explanations write them, in the terminal and in documents.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/plan_model.h"

namespace planex::render {

// Quoted and made printable; long ones lose their middle.
std::string reported_name(const model::PlanModel& model, model::LayerId layer);
std::string reported_name(const model::PlanModel& model, model::TensorId tensor);
// "a", "b" and 3 more.
std::string said_names(const model::PlanModel& model, const std::vector<model::TensorId>& tensors);

// "FP16 NC/32HW32" of a row of `ports`; "?" for a type that is not known.
std::string end_text(const model::PlanModel& model, std::size_t port);
// "FP16", or "an unknown type".
std::string type_text(model::DType type);

}  // namespace planex::render
