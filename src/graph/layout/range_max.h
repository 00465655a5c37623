// The maximum of the values set on ranges of places.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace planex::graph::layout {

// A value for each of some places. Ranges are [first, last), not empty. Cost: O(log places) a call.
template <typename Value>
class RangeMax {
 public:
  void reset(std::size_t places, Value value) {
    leaves_ = std::bit_ceil(std::max<std::size_t>(places, 1));
    whole_.assign(2 * leaves_, value);
    most_.assign(2 * leaves_, value);
  }

  Value most(std::size_t first, std::size_t last) const {
    std::size_t left = leaves_ + first;
    std::size_t right = leaves_ + last;
    Value value = whole_[left];
    for (std::size_t node = left; node > 0; node /= 2) value = std::max(value, whole_[node]);
    for (std::size_t node = right - 1; node > 0; node /= 2) value = std::max(value, whole_[node]);
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 == 1) value = std::max(value, most_[left++]);
      if (right % 2 == 1) value = std::max(value, most_[--right]);
    }
    return value;
  }

  // Raises all values in the range to at least the given one.
  void raise(std::size_t first, std::size_t last, Value value) {
    const auto raise_node = [&](std::size_t node) {
      whole_[node] = std::max(whole_[node], value);
      most_[node] = std::max(most_[node], value);
    };
    const std::size_t start = leaves_ + first;
    const std::size_t end = leaves_ + last;
    for (std::size_t left = start, right = end; left < right; left /= 2, right /= 2) {
      if (left % 2 == 1) raise_node(left++);
      if (right % 2 == 1) raise_node(--right);
    }
    for (std::size_t node = start; node > 0; node /= 2) most_[node] = std::max(most_[node], value);
    for (std::size_t node = end - 1; node > 0; node /= 2)
      most_[node] = std::max(most_[node], value);
  }

 private:
  std::size_t leaves_ = 0;
  // Per node of a tree over the places: the value set on all of it, and the maximum of any part.
  std::vector<Value> whole_;
  std::vector<Value> most_;
};

}  // namespace planex::graph::layout
