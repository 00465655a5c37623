// How an engine's time is distributed over the operations of its source model.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/compare/ledger.h"
#include "analyze/timing/exact_time.h"
#include "model/plan_model.h"

namespace planex::analyze {

// One layer that stems from an operation.
struct OperationLayer {
  model::LayerId layer;
  // Which of the layer's operations it is, counted from 1, in the order of the model, and how many
  // there are.
  std::uint32_t position = 0, count = 0;
  // The operation's part of the layer's time, and the rule that divided it. Null where the layer
  // has no time, and where it has other operations that do its work: operations on weights get
  // none.
  std::optional<Femtoseconds> part;
  std::optional<ShareRule> rule;
  bool is_reformat_for_it = false;
};

struct OperationTimes {
  TimeBasis basis = TimeBasis::kNone;
  ExactTimes layers;
  // By operation; in execution order.
  std::vector<std::vector<OperationLayer>> of_operation;
  // By operation: the sum of its parts, and the sum of the whole times of its layers.
  std::vector<std::optional<Femtoseconds>> part, whole;
  // All parts: Σ layers = on_operations + elsewhere. Null where there are no times.
  std::optional<Femtoseconds> on_operations, elsewhere;
  // Layers that do work and belong to no operation.
  std::int64_t layers_elsewhere = 0;
};

// `index_of` returns the operation that a layer names, or nothing; there are `count`. Cost: that of
// ledger_of, and one look-up for each source of a layer.
OperationTimes operation_times(
    const model::PlanModel& model, TimeBasis basis, std::size_t count,
    const std::function<std::optional<std::uint32_t>(std::string_view name)>& index_of);

}  // namespace planex::analyze
