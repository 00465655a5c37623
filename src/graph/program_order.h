// Edges that do not come from a tensor: events between streams, jumps, loops, TrainStation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/plan_graph.h"

namespace planex::graph {

// Adds kEvent, kOrder and the kControl edges of jumps without a condition, or that are nodes.
// node_of_layer must be filled.
void add_order_edges(const model::PlanModel& model, PlanGraph& graph);

// Targets of conditional jumps: the first node at or after the target record.
class JumpTargets {
 public:
  JumpTargets(const model::PlanModel& model, const PlanGraph& graph);

  // Empty for a record without a conditional jump.
  std::span<const NodeId> of(model::LayerId layer) const;

 private:
  std::vector<std::uint32_t> layers_, firsts_;
  std::vector<NodeId> targets_;
};

// The loops that contain layers.
class Loops {
 public:
  explicit Loops(const model::PlanModel& model);

  bool are_there() const { return are_there_; }
  // The innermost loop around a layer, or null.
  model::BlockId around(model::LayerId layer) const;
  // The next loop around a loop, or null.
  model::BlockId outside(model::BlockId loop) const { return outside_[loop.index()]; }

 private:
  const model::PlanModel& model_;
  bool are_there_ = false;
  std::vector<model::BlockId> innermost_, outside_;
};

}  // namespace planex::graph
