// Finds the rows of a column that may equal a value, so that joins on any column stay linear.
//
// SQLite builds automatic indexes for its own tables only, never for virtual ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::query {

// Values by hash: equal values have equal keys, and SQLite checks the rows again.
std::uint64_t key_of_number(double value);
std::uint64_t key_of_text(std::string_view text);

class EqualityIndex {
 public:
  // Whether another look-up justifies an index. The first one does not: a scan is cheaper, and most
  // queries compare with one constant.
  bool counts_lookup() { return ++lookups_ > 1; }

  // Builds the index if it does not exist yet. Cost: O(n log n) once.
  void build(const model::TableView& view, std::size_t column);

  // Rows in ascending order. Cost: O(log n).
  std::span<const std::uint32_t> find(std::uint64_t key) const;

 private:
  std::size_t lookups_ = 0;
  bool built_ = false;
  std::vector<std::uint64_t> keys_;  // ascending
  std::vector<std::uint32_t> rows_;  // of keys_; ascending where keys are equal
};

}  // namespace planex::query
