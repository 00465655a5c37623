// Tensors that share a scale.
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "quantize/flow.h"

namespace planex::quantize {

class TensorGroups {
 public:
  // The lowest of its group; for a tensor that was not joined, the tensor itself.
  TensorId of(TensorId tensor) {
    TensorId last = tensor;
    while (next_.contains(last) && next_[last] != last) last = next_[last];
    while (next_.contains(tensor) && next_[tensor] != last) {
      tensor = std::exchange(next_[tensor], last);
    }
    return last;
  }

  void join(TensorId first, TensorId second) {
    const TensorId one = of(first), other = of(second);
    if (one != other) next_[std::max(one, other)] = std::min(one, other);
  }

 private:
  // Each points to another of its group, or to itself.
  std::map<TensorId, TensorId> next_;
};

}  // namespace planex::quantize
