// Where a series of times changes its level: the phases of a measurement.
//
// The method follows E. Barrett et al., "Virtual machine warmup blows hot and cold" (OOPSLA 2017):
// change points first, then phases are compared with one another. Change points are found exactly,
// by optimal partitioning (Jackson et al. 2005), on medians of blocks, so that spikes don't count
// and a million samples cost no more than a few thousand.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace planex::analyze {

// Changes below this ratio are not reported: the smallest clock step of current GPUs (7.5 MHz of
// 2.5 GHz) changes a time by this much.
inline constexpr double kMinChangeRatio = 0.003;

// Median absolute deviation → standard deviation of a normal distribution.
inline constexpr double kMadToSigma = 1.4826;

// Samples [first, end) with one level.
struct Phase {
  std::size_t first = 0, end = 0;
  double median = 0;
};

struct LevelShifts {
  // In order, without gaps; at least one. Neighbours differ by kMinChangeRatio or more.
  std::vector<Phase> phases;
  // Short levels, less than 2 % of the samples each, between two phases that are similar and were
  // therefore joined; in order, at block boundaries.
  std::vector<Phase> excursions;
  // Number of first phases that are warm-up: transient levels that do not come back, within the
  // first quarter of the samples.
  std::size_t warm_up_phases = 0;
  // The rest is better described by one slope than by steps; it is then one phase.
  bool is_slope = false;
};

// Shapes: samples[n], positive and finite, n ≥ kMinSamples. Cost: O(n log n), more precisely O(n)
// plus the square of at most kMaxBlocks.
inline constexpr std::size_t kMinSamples = 30;
inline constexpr std::size_t kMaxBlocks = 1024;
LevelShifts find_level_shifts(std::span<const double> samples);

// Order statistics of samples in any order; not empty.
double median_of(std::vector<double> samples);
// 1.4826 · median |x − center|: a standard deviation that spikes don't affect.
double robust_deviation(std::span<const double> samples, double center);

}  // namespace planex::analyze
