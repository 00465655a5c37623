#include "render/drawing/times.h"

#include <algorithm>

#include "base/text.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

const model::Real& column_of(const model::PlanModel& model, TimeChoice choice) {
  const model::LayersTable& layers = model.layers;
  if (choice == TimeChoice::kTotal) return layers.total_ms;
  if (choice == TimeChoice::kMean) return layers.mean_ms;
  return model.has_mean_times() ? layers.mean_ms : layers.median_ms;
}

}  // namespace

std::string share_text(double ratio) {
  constexpr double kMinShown = 0.0005;
  return ratio > 0 && ratio < kMinShown ? "<0.1 %" : percent_text(ratio);
}

Times::Times(const model::PlanModel& model, const graph::PlanGraph& graph, TimeChoice choice)
    : column_(column_of(model, choice)),
      model_(model),
      is_of_groups_(choice == TimeChoice::kMedian) {
  for (const graph::Node& node : graph.nodes)
    slowest_ms_ = std::max(slowest_ms_, of(node).value_or(0));
  up_to_.reserve(model.layers.row_count());
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const auto ms = model.is_shown(model::LayerId(row)) ? column_.get(row) : std::nullopt;
    if (ms) sum_ms_ = sum_ms_.value_or(0) + *ms;
    up_to_.push_back(sum_ms_.value_or(0));
  }
}

std::optional<double> Times::of(model::LayerId layer) const {
  return layer.is_null() ? std::nullopt : column_.get(layer.index());
}

std::optional<double> Times::of(const graph::Node& node) const {
  return node.kind == graph::NodeKind::kLayer ? of(node.layer) : std::nullopt;
}

std::string Times::text(double ms) const {
  if (ms >= 1 || slowest_ms_ >= 1) return base::format("{:.3f} ms", ms);
  return base::format("{:.1f} µs", ms * 1000);
}

}  // namespace planex::render
