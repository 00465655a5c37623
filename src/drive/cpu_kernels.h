// Loops that keep a processor as busy as possible: the most that its units can do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace planex::drive {

// Multiply-accumulates in registers, with enough in flight to hide their latency.
struct PeakKernel {
  std::string_view type;          // FP32, BF16, INT8
  std::string_view instructions;  // "AVX-512 FMA"
  bool is_matrix = false;
  double operations_per_round = 0;  // two per multiply-accumulate
  void (*run)(std::size_t rounds) = nullptr;
};

// The kernels that this processor and its operating system can run: the widest of each type and
// kind. Requests the matrix units from the system if there are any.
std::vector<PeakKernel> peak_kernels();

// a[i] = b[i] + 3 · c[i]: the triad of STREAM (McCalpin, 1995), 24 bytes per element.
void triad(std::span<double> a, std::span<const double> b, std::span<const double> c);
// Reads all elements, 8 bytes each.
double sum_of(std::span<const double> a);

}  // namespace planex::drive
