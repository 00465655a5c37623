// Dense indices that can't be confused: a LayerId is not a TensorId.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace planex::base {

template <typename Tag>
class Id {
 public:
  static constexpr std::uint32_t kNullValue = std::numeric_limits<std::uint32_t>::max();

  constexpr Id() = default;  // null
  constexpr explicit Id(std::size_t index) : value_(static_cast<std::uint32_t>(index)) {}

  constexpr bool is_null() const { return value_ == kNullValue; }
  // The position in the table. Must not be null.
  constexpr std::size_t index() const { return value_; }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint32_t value_ = kNullValue;
};

}  // namespace planex::base
