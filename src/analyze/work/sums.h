// Sums of what may be unknown: unknown items are left out, and a sum of nothing known is unknown.
#pragma once

#include <cstdint>
#include <optional>

#include "base/checked.h"

namespace planex::analyze {

template <typename Number>
void add_to(std::optional<Number>& sum, std::optional<Number> value) {
  if (value) sum = sum.value_or(Number{}) + *value;
}

// Of integers; unknown too where it overflows.
class Total {
 public:
  void add(std::optional<std::int64_t> value) {
    if (value) sum_ = sum_.value_or(0) + *value;
  }
  std::optional<std::int64_t> value() const { return sum_ ? sum_->value() : std::nullopt; }

 private:
  std::optional<base::CheckedInt> sum_;
};

}  // namespace planex::analyze
