// Searches arrays and vectors.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <ranges>

namespace planex::base {

// The first item for which the predicate is true; null where there is none. The items must outlive
// the returned pointer.
template <std::ranges::contiguous_range Items, typename Predicate>
constexpr const auto* find_if(const Items& items, Predicate holds) {
  const auto found = std::ranges::find_if(items, holds);
  return found == std::ranges::end(items) ? nullptr : std::to_address(found);
}

// The first item that equals this, as the projection sees it.
template <std::ranges::contiguous_range Items, typename Value, typename Projection = std::identity>
constexpr const auto* find(const Items& items, const Value& value, Projection projection = {}) {
  const auto found = std::ranges::find(items, value, projection);
  return found == std::ranges::end(items) ? nullptr : std::to_address(found);
}

}  // namespace planex::base
