#include "drive/cpu_types.h"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace planex::drive {
#if defined(__aarch64__) && defined(__linux__)
namespace {

// HWCAP_ASIMDHP of Linux's asm/hwcap.h.
constexpr unsigned long kHalfVectors = 1UL << 10;

}  // namespace
#endif

bool has_small_float(std::string_view type) {
#if defined(__x86_64__)
  if (type == "bf16") {
    return __builtin_cpu_supports("avx512bf16") != 0 || __builtin_cpu_supports("amx-bf16") != 0;
  }
  if (type == "fp16") {
    return __builtin_cpu_supports("avx512fp16") != 0;
  }
#elif defined(__aarch64__) && defined(__linux__)
  if (type == "fp16") return (getauxval(AT_HWCAP) & kHalfVectors) != 0;
#endif
  return false;
}

}  // namespace planex::drive
