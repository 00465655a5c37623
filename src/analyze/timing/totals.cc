#include "analyze/timing/totals.h"

#include "base/checked.h"

namespace planex::analyze {

void LayerTimes::add(model::LayerId layer, LayerTotals& totals) const {
  ++totals.count;
  if (const auto time = of(layer)) {
    totals.time_ms = totals.time_ms.value_or(0) + *time;
  } else {
    ++totals.without_time;
  }
  totals.share = share(totals.time_ms);
  const auto bytes = model_.layers.io_bytes.get(layer.index());
  const auto sum =
      bytes ? (base::CheckedInt(totals.io_bytes.value_or(0)) + *bytes).value() : std::nullopt;
  if (sum) {
    totals.io_bytes = sum;
  } else {
    ++totals.without_bytes;
  }
}

}  // namespace planex::analyze
