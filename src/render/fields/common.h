// Fields that many documents share.
#pragma once

#include <optional>

#include "analyze/timing/totals.h"
#include "model/plan_model.h"
#include "record/fields.h"

namespace planex::render {

// "layer_id" and "layer", its name; where there may be none, both are null.
const record::Fields<model::LayerId, model::PlanModel>& layer_fields();
const record::Fields<model::LayerId, model::PlanModel>& maybe_layer_fields();
// "type" of a layer.
const record::Fields<model::LayerId, model::PlanModel>& layer_type_fields();
// "layer_id", "name" and "type" of a layer.
const record::Fields<model::LayerId, model::PlanModel>& named_layer_fields();
// Null where there is none.
inline std::optional<model::LayerId> known(model::LayerId layer) {
  return layer.is_null() ? std::nullopt : std::optional(layer);
}

// Sums over some layers.
const record::Fields<analyze::LayerTotals>& totals_fields();

// "tensor_id" and "tensor", its name.
const record::Fields<model::TensorId, model::PlanModel>& tensor_fields();

// An engine: its name, what made it, what it ran on.
const record::Fields<model::PlanModel>& producer_fields();

// "engine": its name.
template <typename T>
record::Fields<T, model::PlanModel> engine_name_fields() {
  return record::Fields<T, model::PlanModel>("", "").field(
      "engine", "", "Name of the engine.",
      [](const T&, const model::PlanModel& model) { return model.text(model.engine.name[0]); });
}

}  // namespace planex::render
