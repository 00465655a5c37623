// Sums over some of an engine's layers, as explanations report them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

struct LayerTotals {
  std::size_t count = 0;
  // Sums of what is known; null where nothing is. The counts show what the sums lack.
  std::optional<double> time_ms;
  std::size_t without_time = 0;
  // Relative to the sum of layer times (LayerTimes::sum_ms); null where that is not known or not
  // positive.
  std::optional<double> share;
  // Activations read and written, without padding.
  std::optional<std::int64_t> io_bytes;
  std::size_t without_bytes = 0;
};

// Times of layers under one basis: medians where all layers have one, else means.
class LayerTimes {
 public:
  LayerTimes(const model::PlanModel& model, const Reconciliation& time)
      : model_(model), basis_(time.basis), sum_ms_(time.layers_ms()) {}

  TimeBasis basis() const { return basis_; }
  // Of all layers; null where there are no times.
  std::optional<double> sum_ms() const {
    return basis_ == TimeBasis::kNone ? std::nullopt : sum_ms_;
  }
  std::optional<double> of(model::LayerId layer) const {
    return layer_time(model_, layer.index(), basis_);
  }
  std::optional<double> share(std::optional<double> time_ms) const {
    const auto sum = sum_ms();
    return time_ms && sum && *sum > 0 ? std::optional(*time_ms / *sum) : std::nullopt;
  }

  // Adds one layer; the share is that of the new sum.
  void add(model::LayerId layer, LayerTotals& totals) const;

 private:
  const model::PlanModel& model_;
  TimeBasis basis_;
  std::optional<double> sum_ms_;
};

}  // namespace planex::analyze
