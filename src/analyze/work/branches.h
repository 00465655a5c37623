// Totals for engines with conditionals as jumps between their layers: one branch of a conditional
// runs in an inference, so its branches are never added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

class Branches {
 public:
  // Cost: O(layers + blocks). The model must outlive this.
  explicit Branches(const model::PlanModel& model);

  // Whether the engine has a conditional.
  bool any() const { return any_; }

  // False where times show that the layer's branch ran in no inference: another branch of the
  // conditional has times, or all times of its own branch are 0.
  bool may_run(std::size_t layer) const;

  // For the layers that do work: with the smaller and with the larger branch of each conditional
  // for which it is not known which one ran; a missing branch does nothing. Null where no layer has
  // a value, or on overflow; without conditionals both are the sum.
  struct Range {
    std::optional<std::int64_t> least, most;
  };
  Range total(const model::Int& column) const;

 private:
  std::size_t around(std::size_t block) const;
  void find_unused();

  const model::PlanModel& model_;
  bool any_ = false;
  std::vector<bool> is_conditional_, is_branch_, is_unused_;  // by block
};

}  // namespace planex::analyze
