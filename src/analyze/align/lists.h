// Lists of numbers, one after the other in one vector.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace planex::analyze::matching {

struct Lists {
  std::vector<std::uint32_t> first = {0};
  std::vector<std::uint32_t> items;

  std::span<const std::uint32_t> operator[](std::size_t row) const {
    return std::span(items).subspan(first[row], first[row + 1] - first[row]);
  }
  std::size_t size() const { return first.size() - 1; }
};

// The second numbers of all pairs, listed by the first (below `rows`); in their order.
Lists grouped(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs, std::size_t rows);

}  // namespace planex::analyze::matching
