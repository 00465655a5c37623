// The layers of an engine by what they have in common, and how their figures are distributed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/timing/totals.h"
#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

enum class LayerKey : std::uint8_t { kType, kPrecision, kOutputPrecision, kTactic };

struct LayerPart {
  // One for each key, views into the model or static; empty: not known.
  std::vector<std::string_view> words;
  model::Family family = model::Family::kNull;  // of the first layer
  LayerTotals totals;
};

// Layers that do work, by all keys together: most time first, then most layers, then the first in
// execution order. Sums over the parts are those of the engine's layers that do work.
// Cost: O(layers log parts).
std::vector<LayerPart> break_down(const model::PlanModel& model, const Reconciliation& time,
                                  std::span<const LayerKey> keys);

// Bins of one width over [start, start + step · counts.size()]; the last one has its upper end.
struct Distribution {
  double start = 0, step = 0;
  std::vector<std::int64_t> counts;
};

// Of finite values, from 0 (or the least, where that is negative) to the greatest. Empty where
// there are no values; one bin where all are 0.
Distribution distribution_of(std::span<const double> values, std::size_t bins);

}  // namespace planex::analyze
