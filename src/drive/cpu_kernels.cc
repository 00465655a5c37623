#include "drive/cpu_kernels.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

namespace planex::drive {
namespace {

// Two units with a latency of 4 or 5 need ten; more hide what remains.
constexpr std::size_t kInFlight = 12;

// Keeps a result alive and hides its value from the compiler.
template <typename T>
void keep(T& value) {
  asm volatile("" : "+m"(value) : : "memory");
}

// The compiler's vector types: they map to whatever the processor has that planex was built for.
void fp32_plain(std::size_t rounds) {
  using Vector = float __attribute__((vector_size(16)));
  Vector sums[kInFlight] = {};
  float factor = 0.5F, term = 0.25F;
  keep(factor);
  keep(term);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Vector& sum : sums) sum = sum * factor + term;
  }
  keep(sums);
}
constexpr PeakKernel kFp32Plain = {"FP32", "128-bit vectors", false, kInFlight * 4 * 2, fp32_plain};

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) void fp32_avx2(std::size_t rounds) {
  __m256 sums[kInFlight] = {};
  float values[2] = {0.5F, 0.25F};
  keep(values);
  const __m256 factor = _mm256_set1_ps(values[0]), term = _mm256_set1_ps(values[1]);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, factor, term);
  }
  keep(sums);
}
constexpr PeakKernel kFp32Avx2 = {"FP32", "AVX2 FMA", false, kInFlight * 8 * 2, fp32_avx2};

__attribute__((target("avx512f"))) void fp32_avx512(std::size_t rounds) {
  __m512 sums[kInFlight] = {};
  float values[2] = {0.5F, 0.25F};
  keep(values);
  const __m512 factor = _mm512_set1_ps(values[0]), term = _mm512_set1_ps(values[1]);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, term);
  }
  keep(sums);
}
constexpr PeakKernel kFp32Avx512 = {"FP32", "AVX-512 FMA", false, kInFlight * 16 * 2, fp32_avx512};

__attribute__((target("avx512f,avx512bf16"))) void bf16_avx512(std::size_t rounds) {
  __m512 sums[kInFlight] = {};
  int bits = 0x3f003f00;  // twice 0.5
  keep(bits);
  const __m512i packed = _mm512_set1_epi32(bits);
  __m512bh factors;
  std::memcpy(&factors, &packed, sizeof factors);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (__m512& sum : sums) sum = _mm512_dpbf16_ps(sum, factors, factors);
  }
  keep(sums);
}
constexpr PeakKernel kBf16Avx512 = {"BF16", "AVX-512 BF16", false, kInFlight * 32 * 2, bf16_avx512};

__attribute__((target("avx2"))) void int8_avx2(std::size_t rounds) {
  __m256i sums[kInFlight] = {};
  int values[2] = {0x01010101, 0x00010001};
  keep(values);
  const __m256i bytes = _mm256_set1_epi32(values[0]), ones = _mm256_set1_epi32(values[1]);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (__m256i& sum : sums) {
      // Depends on the sum, so that no compiler moves it out of the loop.
      const __m256i pairs = _mm256_maddubs_epi16(_mm256_or_si256(sum, bytes), bytes);
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, ones));
    }
  }
  keep(sums);
}
constexpr PeakKernel kInt8Avx2 = {"INT8", "AVX2", false, kInFlight * 32 * 2, int8_avx2};

__attribute__((target("avx512f,avx512vnni"))) void int8_avx512(std::size_t rounds) {
  __m512i sums[kInFlight] = {};
  int value = 0x01010101;
  keep(value);
  const __m512i bytes = _mm512_set1_epi32(value);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (__m512i& sum : sums) sum = _mm512_dpbusd_epi32(sum, bytes, bytes);
  }
  keep(sums);
}
constexpr PeakKernel kInt8Avx512 = {"INT8", "AVX-512 VNNI", false, kInFlight * 64 * 2, int8_avx512};

// Tiles of 16 rows of 64 bytes: four sums in flight, from two left and two right tiles.
constexpr double kTileRows = 16, kTileColumns = 16, kTiles = 4;

__attribute__((target("amx-tile"))) void set_up_tiles() {
  struct alignas(64) {
    std::uint8_t palette = 1, start_row = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t row_bytes[16] = {};
    std::uint8_t rows[16] = {};
  } config;
  static_assert(sizeof config == 64);
  for (std::size_t tile = 0; tile < 8; ++tile) {
    config.row_bytes[tile] = 64;
    config.rows[tile] = 16;
  }
  keep(config);  // GCC assumes that the instruction reads only its first eight bytes
  _tile_loadconfig(&config);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  _tile_zero(6);
  _tile_zero(7);
}

__attribute__((target("amx-tile,amx-int8"))) void int8_amx(std::size_t rounds) {
  set_up_tiles();
  for (std::size_t round = 0; round < rounds; ++round) {
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
  }
  _tile_release();
}
constexpr PeakKernel kInt8Amx = {"INT8", "AMX", true, kTiles * kTileRows * kTileColumns * 64 * 2,
                                 int8_amx};

__attribute__((target("amx-tile,amx-bf16"))) void bf16_amx(std::size_t rounds) {
  set_up_tiles();
  for (std::size_t round = 0; round < rounds; ++round) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_release();
}
constexpr PeakKernel kBf16Amx = {"BF16", "AMX", true, kTiles * kTileRows * kTileColumns * 32 * 2,
                                 bf16_amx};

// Linux grants tile registers on request: arch_prctl(2), ARCH_REQ_XCOMP_PERM.
bool may_use_tiles() {
#if defined(__linux__)
  constexpr int kRequestPermission = 0x1023, kTileData = 18;
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

std::vector<PeakKernel> kernels_of_x86() {
  std::vector<PeakKernel> kernels;
  const bool avx512 = __builtin_cpu_supports("avx512f");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  kernels.push_back(avx512 ? kFp32Avx512 : avx2 ? kFp32Avx2 : kFp32Plain);
  if (avx512 && __builtin_cpu_supports("avx512bf16")) kernels.push_back(kBf16Avx512);
  if (avx512 && __builtin_cpu_supports("avx512vnni")) {
    kernels.push_back(kInt8Avx512);
  } else if (avx2) {
    kernels.push_back(kInt8Avx2);
  }
  if (__builtin_cpu_supports("amx-tile") && may_use_tiles()) {
    if (__builtin_cpu_supports("amx-bf16")) kernels.push_back(kBf16Amx);
    if (__builtin_cpu_supports("amx-int8")) kernels.push_back(kInt8Amx);
  }
  return kernels;
}

#endif

}  // namespace

std::vector<PeakKernel> peak_kernels() {
#if defined(__x86_64__)
  return kernels_of_x86();
#else
  return {kFp32Plain};
#endif
}

void triad(std::span<double> a, std::span<const double> b, std::span<const double> c) {
  double factor = 3;
  keep(factor);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = b[i] + factor * c[i];
  asm volatile("" : : "r"(a.data()) : "memory");
}

double sum_of(std::span<const double> a) {
  // As many sums as two loads per clock need, so that the additions are not the bottleneck.
  constexpr std::size_t kSums = 32;
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= a.size(); i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += a[i + k];
  }
  double sum = 0;
  for (const double part : sums) sum += part;
  for (; i < a.size(); ++i) sum += a[i];
  return sum;
}

}  // namespace planex::drive
