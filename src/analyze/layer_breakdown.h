// The layers of an engine grouped by common properties, and the distribution of their figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "analyze/timing/totals.h"
#include "model/plan_model.h"

namespace planex::analyze {

enum class LayerKey : std::uint8_t { kType, kPrecision, kOutputPrecision, kTactic };

struct LayerPart {
  // One per key, views into the model or static; empty: not known.
  std::vector<std::string_view> words;
  model::Family family = model::Family::kNull;  // of the first layer
  LayerTotals totals;
};

// Layers that do work, by all keys together: most time first, then most layers, then the first in
// execution order. Sums over the parts are those of the engine's layers that do work.
// Cost: O(layers log parts).
std::vector<LayerPart> break_down(const model::PlanModel& model, const Reconciliation& time,
                                  std::span<const LayerKey> keys);

// Bins of equal width over [start, start + step · counts.size()]; the last one includes its upper
// end.
struct Distribution {
  double start = 0, step = 0;
  std::vector<std::int64_t> counts;
};

// For finite values, from 0 (or the minimum, where that is negative) to the maximum. Empty where
// there are no values; one bin where all are 0.
Distribution distribution_of(std::span<const double> values, std::size_t bins);

}  // namespace planex::analyze
