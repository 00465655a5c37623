// What this machine's processor has for products of 8-bit numbers.
#pragma once

#include <string_view>

namespace planex::drive {

struct Processor {
  // The most: "amx_int8", "avx512_vnni", "avx512", "avx2_vnni", "avx2", "avx", "sse4_1"; elsewhere
  // than on x86-64 "aarch64". Empty: another.
  std::string_view isa;
  // Sums products of 8-bit numbers in 32 bits. Without it pairs of them are summed in 16, where
  // they saturate.
  bool has_vnni = false;
};

Processor this_processor();

}  // namespace planex::drive
