// Arithmetic on sizes from input: overflow returns nothing instead of a wrong number.
#pragma once

#include <cstdint>
#include <optional>

namespace planex::base {

// A 64-bit size that remembers whether any step overflowed, so that a chain of operations is
// checked once, at its end.
class CheckedInt {
 public:
  constexpr CheckedInt(std::int64_t value) : value_(value) {}  // NOLINT: implicit on purpose

  constexpr CheckedInt& operator*=(CheckedInt other) {
    valid_ = valid_ && other.valid_ && !__builtin_mul_overflow(value_, other.value_, &value_);
    return *this;
  }
  constexpr CheckedInt& operator+=(CheckedInt other) {
    valid_ = valid_ && other.valid_ && !__builtin_add_overflow(value_, other.value_, &value_);
    return *this;
  }
  friend constexpr CheckedInt operator*(CheckedInt a, CheckedInt b) { return a *= b; }
  friend constexpr CheckedInt operator+(CheckedInt a, CheckedInt b) { return a += b; }

  // Rounds up to a multiple of `step` (> 0).
  constexpr CheckedInt rounded_up_to(std::int64_t step) const {
    CheckedInt result = *this + CheckedInt(step - 1);
    if (result.valid_) result.value_ -= result.value_ % step;
    return result;
  }

  // Rounds the quotient up. `divisor` > 0.
  constexpr CheckedInt divided_up_by(std::int64_t divisor) const {
    CheckedInt result = *this + CheckedInt(divisor - 1);
    if (result.valid_) result.value_ /= divisor;
    return result;
  }

  constexpr std::optional<std::int64_t> value() const {
    return valid_ ? std::optional<std::int64_t>(value_) : std::nullopt;
  }

 private:
  std::int64_t value_;
  bool valid_ = true;
};

}  // namespace planex::base
