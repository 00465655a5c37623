#include "drive/cpu_types.h"

#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace planex::drive {

bool has_small_float(std::string_view type) {
#if defined(__x86_64__)
  if (type == "bf16") {
    return __builtin_cpu_supports("avx512bf16") != 0 || __builtin_cpu_supports("amx-bf16") != 0;
  }
  if (type == "fp16") {
    return __builtin_cpu_supports("avx512fp16") != 0;
  }
#elif defined(__aarch64__) && defined(__linux__)
  if (type == "fp16") return (getauxval(AT_HWCAP) & HWCAP_ASIMDHP) != 0;
#endif
  return false;
}

}  // namespace planex::drive
