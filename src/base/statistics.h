// Order statistics of samples.
#pragma once

#include <span>
#include <vector>

namespace planex::base {

// The value below which `ratio` (0 to 1) of the samples lie, linear between neighbours: type 7 of
// Hyndman & Fan (1996), the default of NumPy and R. `sorted` ascends and is not empty.
double quantile(std::span<const double> sorted, double ratio);

struct SampleStatistics {
  double sum = 0, mean = 0, median = 0, min = 0, max = 0;
};
// `samples` is not empty.
SampleStatistics sample_statistics(std::vector<double> samples);

}  // namespace planex::base
