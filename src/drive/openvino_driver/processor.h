// What this machine's processor offers for products of 8-bit numbers.
#pragma once

#include <string_view>

namespace planex::drive {

struct Processor {
  // The best instruction set: "amx_int8", "avx512_vnni", "avx512", "avx2_vnni", "avx2", "avx",
  // "sse4_1"; on other architectures than x86-64 "aarch64". Empty: another one.
  std::string_view isa;
  // Whether it sums products of 8-bit numbers in 32 bits. Without this, pairs of products are
  // summed in 16 bits, where they saturate.
  bool has_vnni = false;
};

Processor this_processor();

}  // namespace planex::drive
