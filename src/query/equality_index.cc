#include "query/equality_index.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace planex::query {

std::uint64_t key_of_number(double value) {
  // Adding zero turns -0.0 into 0.0, which it equals.
  return std::bit_cast<std::uint64_t>(value + 0.0);
}

std::uint64_t key_of_text(std::string_view text) { return std::hash<std::string_view>{}(text); }

void EqualityIndex::build(const model::TableView& view, std::size_t column) {
  if (built_) return;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> entries;
  entries.reserve(view.row_count());
  for (std::size_t row = 0; row < view.row_count(); ++row) {
    const model::Cell cell = view.cell(column, row);
    const auto number = static_cast<std::uint32_t>(row);
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
      // Integers equal to a double have its key; so do a few others, which is harmless.
      entries.emplace_back(key_of_number(static_cast<double>(*integer)), number);
    } else if (const auto* real = std::get_if<double>(&cell)) {
      entries.emplace_back(key_of_number(*real), number);
    } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
      entries.emplace_back(key_of_text(*text), number);
    }
  }
  std::ranges::sort(entries);
  keys_.reserve(entries.size());
  rows_.reserve(entries.size());
  for (const auto& [key, row] : entries) {
    keys_.push_back(key);
    rows_.push_back(row);
  }
  built_ = true;
}

std::span<const std::uint32_t> EqualityIndex::find(std::uint64_t key) const {
  const auto [first, last] = std::ranges::equal_range(keys_, key);
  return std::span(rows_).subspan(static_cast<std::size_t>(first - keys_.begin()),
                                  static_cast<std::size_t>(last - first));
}

}  // namespace planex::query
