// Totals over engines that hold conditionals as jumps between their layers: of a conditional one
// branch runs in an inference, so its branches are never added up.
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
  // conditional has times, or all of its own are 0.
  bool may_run(std::size_t layer) const;

  // Of the layers that do work: with the lesser and with the larger branch of each conditional of
  // which it is not known which one runs; a branch that is not there does nothing. Null where no
  // layer has a value, or on overflow; where there is nothing to choose both are the sum.
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
