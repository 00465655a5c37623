// Assigns what quantizing lost to the layers of the engine.
#pragma once

#include <optional>
#include <span>

#include "model/plan_model.h"

namespace planex::analyze {

// Sets layer_id of `calibration`, `accuracy` and `front_layers`, and the layers' simulated_db and
// engine_db.
//
// A tensor belongs to the last layer that stems from its operation and does more than convert; an
// operation without a name is known by its tensor, as in `sources`. A layer's figures are those of
// the last of its tensors: its output, where several operations were fused. engine_db comes from
// OpenVINO, so layers of other producers have none. Needs `sources` and is_reformat. Cost: O(rows
// of the tables).
void complete_accuracy(model::PlanModel& model);

// The lowest SQNR of the outputs in dB, from planex accuracy where it was read, else from the
// record of planex quantize or planex search. Null: none was read, or no output has one (no signal,
// or no noise). engine_db is also null if the engine is not OpenVINO's.
struct EndAccuracy {
  std::optional<double> simulated_db, engine_db;
};
EndAccuracy end_accuracy(const model::PlanModel& model);

// The same figures for layers together: those of the last of them that has one.
EndAccuracy accuracy_of(const model::PlanModel& model, std::span<const model::LayerId> layers);

// Whether layers of both engines can have such figures.
bool have_accuracy(const model::PlanModel& one, const model::PlanModel& two);

}  // namespace planex::analyze
