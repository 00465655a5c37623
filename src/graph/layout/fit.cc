#include "graph/layout/fit.h"

#include <algorithm>

namespace planex::graph::layout {

void Fitter::fit(std::span<Wish> wishes, double least, double most) {
  if (wishes.empty()) return;
  // Without the distances: then places must only not decrease.
  pools_.clear();
  double offset = 0;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    if (i > 0) offset += wishes[i].distance;
    const double weight = wishes[i].weight;
    pools_.push_back({(wishes[i].place - offset) * weight, weight, i + 1});
    while (pools_.size() > 1 && pools_[pools_.size() - 2].mean() >= pools_.back().mean()) {
      const Pool pool = pools_.back();
      pools_.pop_back();
      pools_.back().sum += pool.sum;
      pools_.back().weight += pool.weight;
      pools_.back().end = pool.end;
    }
  }
  // Bounds apply to the first and the last one, so with the distances to all.
  const double highest = most - offset;
  offset = 0;
  std::size_t i = 0;
  for (const Pool& pool : pools_) {
    const double place = std::max(least, std::min(highest, pool.mean()));
    for (; i < pool.end; ++i) {
      if (i > 0) offset += wishes[i].distance;
      wishes[i].place = place + offset;
    }
  }
}

}  // namespace planex::graph::layout
