// Loops that keep a processor as busy as it can be: what its units do at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace planex::drive {

// Multiply-accumulates in registers, with enough of them in flight to hide their latency.
struct PeakKernel {
  std::string_view type;          // FP32, BF16, INT8
  std::string_view instructions;  // "AVX-512 FMA"
  bool is_matrix = false;
  double operations_per_round = 0;  // two per multiply-accumulate
  void (*run)(std::size_t rounds) = nullptr;
};

// Those that this processor and its system can run: the widest of each type and kind. Asks the
// system for its matrix units where there are some.
std::vector<PeakKernel> peak_kernels();

// a[i] = b[i] + 3 · c[i]: the triad of STREAM (McCalpin, 1995), 24 bytes an element.
void triad(std::span<double> a, std::span<const double> b, std::span<const double> c);
// Reads all, 8 bytes an element.
double sum_of(std::span<const double> a);

}  // namespace planex::drive
