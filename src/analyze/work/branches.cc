#include "analyze/work/branches.h"

#include <algorithm>

#include "analyze/work/sums.h"

namespace planex::analyze {
namespace {

// For one block: what runs in any case, and the branches of a conditional.
struct BranchSums {
  Total least, most;
  std::optional<std::int64_t> lesser, larger;
  std::size_t branch_count = 0;
};

}  // namespace

Branches::Branches(const model::PlanModel& model) : model_(model) {
  const std::size_t count = model.blocks.row_count();
  is_conditional_.resize(count);
  is_branch_.resize(count);
  is_unused_.resize(count);
  const base::StringId conditional = model.strings.find("conditional");
  const base::StringId branch = model.strings.find("branch");
  if (conditional.is_null() || branch.is_null()) return;
  for (std::size_t block = 0; block < count; ++block) {
    is_conditional_[block] = model.blocks.kind[block] == conditional;
    const std::size_t parent = around(block);
    is_branch_[block] =
        model.blocks.kind[block] == branch && parent < block && is_conditional_[parent];
    any_ = any_ || is_branch_[block];
  }
  if (any_) find_unused();
}

// Blocks come after those that enclose them; the number of blocks represents the engine itself.
std::size_t Branches::around(std::size_t block) const {
  const model::BlockId parent = model_.blocks.parent_id[block];
  return parent.is_null() || parent.index() >= block ? is_branch_.size() : parent.index();
}

void Branches::find_unused() {
  const std::size_t count = is_branch_.size();
  std::vector<bool> has_run(count + 1), has_other_work(count + 1), has_work(count + 1);
  const model::LayersTable& layers = model_.layers;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!model_.does_work(model::LayerId(row)) || layers.block_id[row].is_null()) continue;
    const std::size_t block = layers.block_id[row].index();
    const auto time = model_.time_ms(model::LayerId(row));
    has_work[block] = true;
    has_run[block] = has_run[block] || (time && *time > 0);
    has_other_work[block] = has_other_work[block] || !time;
  }
  for (std::size_t block = count; block-- > 0;) {
    const std::size_t parent = around(block);
    has_work[parent] = has_work[parent] || has_work[block];
    has_run[parent] = has_run[parent] || has_run[block];
    has_other_work[parent] = has_other_work[parent] || has_other_work[block];
  }
  for (std::size_t block = 0; block < count; ++block) {
    const std::size_t parent = around(block);
    const bool is_inside = parent < count && is_unused_[parent];
    const bool did_not_run = is_branch_[block] && has_work[block] && !has_run[block] &&
                             (has_run[parent] || !has_other_work[block]);
    is_unused_[block] = is_inside || did_not_run;
  }
}

bool Branches::may_run(std::size_t layer) const {
  const model::BlockId block = model_.layers.block_id[layer];
  return !any_ || block.is_null() || !is_unused_[block.index()];
}

Branches::Range Branches::total(const model::Int& column) const {
  const std::size_t count = is_branch_.size();
  std::vector<BranchSums> sums(any_ ? count + 1 : 1);
  for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
    if (!model_.does_work(model::LayerId(row)) || !may_run(row)) continue;
    const model::BlockId block = model_.layers.block_id[row];
    BranchSums& own = sums[!any_ || block.is_null() ? sums.size() - 1 : block.index()];
    own.least.add(column.get(row));
    own.most.add(column.get(row));
  }
  for (std::size_t block = any_ ? count : 0; block-- > 0;) {
    BranchSums& own = sums[block];
    if (own.larger) {
      // Without an else, or with an empty one.
      own.least.add(own.branch_count == 1 ? 0 : own.lesser);
      own.most.add(own.larger);
    }
    BranchSums& parent = sums[around(block)];
    if (is_unused_[block]) {
      // The other branches are the ones that run.
      if (is_branch_[block]) parent.branch_count += 1;
      continue;
    }
    if (!is_branch_[block]) {
      parent.least.add(own.least.value());
      parent.most.add(own.most.value());
      continue;
    }
    const auto least = own.least.value(), most = own.most.value();
    if (most) parent.larger = std::max(parent.larger.value_or(0), *most);
    parent.lesser = parent.lesser ? std::min(*parent.lesser, least.value_or(0)) : least.value_or(0);
    parent.branch_count += 1;
  }
  return {sums.back().least.value(), sums.back().most.value()};
}

}  // namespace planex::analyze
