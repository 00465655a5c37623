#include "analyze/layer_breakdown.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace planex::analyze {
namespace {

std::string_view word_of(const model::PlanModel& model, std::size_t row, LayerKey key) {
  const model::LayersTable& layers = model.layers;
  const auto type = [row](const model::Column<model::DType>& column) {
    return column.is_null(row) ? std::string_view() : to_string(column[row]);
  };
  switch (key) {
    case LayerKey::kType:
      return model.text(layers.type[row]);
    case LayerKey::kPrecision:
      return type(layers.precision);
    case LayerKey::kOutputPrecision:
      return type(layers.output_precision);
    case LayerKey::kTactic:
      break;
  }
  return model.text(layers.tactic[row]);
}

}  // namespace

std::vector<LayerPart> break_down(const model::PlanModel& model, const Reconciliation& time,
                                  std::span<const LayerKey> keys) {
  const LayerTimes times(model, time);
  std::vector<LayerPart> parts;
  std::map<std::vector<std::string_view>, std::size_t> part_of;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const model::LayerId layer(row);
    if (!model.does_work(layer)) continue;
    std::vector<std::string_view> words;
    for (const LayerKey key : keys) words.push_back(word_of(model, row, key));
    const auto [found, is_new] = part_of.try_emplace(std::move(words), parts.size());
    if (is_new) {
      parts.push_back({.words = found->first, .family = model.layers.family[row], .totals = {}});
    }
    times.add(layer, parts[found->second].totals);
  }
  std::ranges::stable_sort(parts, [](const LayerPart& a, const LayerPart& b) {
    const double a_ms = a.totals.time_ms.value_or(-1), b_ms = b.totals.time_ms.value_or(-1);
    return a_ms != b_ms ? a_ms > b_ms : a.totals.count > b.totals.count;
  });
  return parts;
}

Distribution distribution_of(std::span<const double> values, std::size_t bins) {
  Distribution result;
  double least = 0, greatest = 0;
  std::size_t count = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
    ++count;
  }
  if (count == 0 || bins == 0) return result;
  const double step = (greatest - least) / static_cast<double>(bins);
  result.start = least;
  if (!(step > 0) || !std::isfinite(step)) {
    result.counts = {static_cast<std::int64_t>(count)};
    return result;
  }
  result.step = step;
  result.counts.resize(bins);
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const auto bin = static_cast<std::size_t>(std::max(0.0, (value - least) / step));
    ++result.counts[std::min(bin, bins - 1)];
  }
  return result;
}

}  // namespace planex::analyze
