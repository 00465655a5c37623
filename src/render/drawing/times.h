// Times as one drawing shows them: one figure per layer, one unit for all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/plan_graph.h"
#include "model/plan_model.h"

namespace planex::render {

enum class TimeChoice : std::uint8_t { kMedian, kMean, kTotal };

// "17.8 %"; "<0.1 %" for what would round to nothing.
std::string share_text(double ratio);

class Times {
 public:
  // The unit and the slowest are those of the graph's layers.
  Times(const model::PlanModel& model, const graph::PlanGraph& graph, TimeChoice choice);

  std::optional<double> of(model::LayerId layer) const;
  std::optional<double> of(const graph::Node& node) const;
  // 0 if no layer has a time.
  double slowest_ms() const { return slowest_ms_; }
  // "36.9 µs": for one layer; a sum is in ms if it is large.
  std::string text(double ms) const;
  // Σ layers: all records of the shown profile that have a time (numbers.md).
  std::optional<double> sum_ms() const { return sum_ms_; }
  // Share of Σ layers; null if the drawing does not show the times that groups have.
  std::optional<double> share_of_group(std::optional<double> group_ms) const {
    if (!group_ms || !is_of_groups_ || !sum_ms_ || *sum_ms_ <= 0) return std::nullopt;
    return *group_ms / *sum_ms_;
  }
  // The time of the engine up to the end of each layer, in execution order.
  const std::vector<double>& up_to() const { return up_to_; }

 private:
  const model::Real& column_;
  const model::PlanModel& model_;
  bool is_of_groups_ = false;
  double slowest_ms_ = 0;
  std::optional<double> sum_ms_;
  std::vector<double> up_to_;
};

}  // namespace planex::render
