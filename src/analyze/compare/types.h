// Time of each type of layer in two engines, and whether the difference is more than noise.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyze/verdict/layer_noise.h"
#include "model/plan_model.h"

namespace planex::analyze {

// All layers of a type that do work, taken together. A view into the models.
struct TypeChange {
  std::string_view type;
  std::int64_t a_layers = 0, b_layers = 0;
  // Of the sums; a type that only one engine has was added or removed.
  LayerChange change;
};

// In the order in which a has them, then b; false discoveries are controlled over all of them.
// Antisymmetric except for that order. Cost: O(layers).
std::vector<TypeChange> compare_types(const model::PlanModel& a, const model::PlanModel& b);

}  // namespace planex::analyze
