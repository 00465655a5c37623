#include "drive/openvino_driver/processor.h"

namespace planex::drive {

Processor this_processor() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx512 && __builtin_cpu_supports("amx-int8")) return {"amx_int8", true};
  if (avx512 && __builtin_cpu_supports("avx512vnni")) return {"avx512_vnni", true};
  const bool avx_vnni = avx2 && __builtin_cpu_supports("avxvnni");
  if (avx512) return {"avx512", avx_vnni};
  if (avx_vnni) return {"avx2_vnni", true};
  if (avx2) return {"avx2", false};
  if (__builtin_cpu_supports("avx")) return {"avx", false};
  if (__builtin_cpu_supports("sse4.1")) return {"sse4_1", false};
  return {};
#elif defined(__aarch64__)
  return {"aarch64", false};
#else
  return {};
#endif
}

}  // namespace planex::drive
