// Pseudo-random values that are the same on every machine and with every standard library.
#pragma once

#include <cstdint>

namespace planex::base {

// xorshift64*.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1DULL;
  }
  // In [-1, 1).
  float real() { return static_cast<float>(static_cast<double>(next() >> 11) * 0x1p-52 - 1.0); }
  // 0 or 1: valid as an index, a mask, a token and a flag.
  int bit() { return static_cast<int>(next() >> 63); }

 private:
  std::uint64_t state_;
};

}  // namespace planex::base
