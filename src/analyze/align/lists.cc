#include "analyze/align/lists.h"

namespace planex::analyze::matching {

Lists grouped(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs, std::size_t rows) {
  Lists lists;
  lists.first.assign(rows + 1, 0);
  for (const auto& [row, item] : pairs) ++lists.first[row + 1];
  for (std::size_t row = 0; row < rows; ++row) lists.first[row + 1] += lists.first[row];
  lists.items.resize(pairs.size());
  std::vector<std::uint32_t> next(lists.first.begin(), lists.first.end() - 1);
  for (const auto& [row, item] : pairs) lists.items[next[row]++] = item;
  return lists;
}

}  // namespace planex::analyze::matching
