// Levels that the runs of two engines have in common: what can be compared.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyze/verdict/verdict.h"

namespace planex::analyze {

// The logarithm of a time, and how far the true value can be below and above it.
struct Figure {
  double center = 0, below = 0, above = 0;
};
Figure figure_of(double center_ms, double low_ms, double high_ms);

// One run at one of the levels; null where it was never there.
using FigureOfRun = std::optional<Figure>;

// One level of one side, run by run, and the runs' consensus.
struct SharedLevel {
  std::vector<FigureOfRun> runs;
  Figure mean;
  std::size_t run_count = 0;  // that visited it
};

struct SharedSide {
  std::vector<SharedLevel> levels;  // ascending: one or two
  // Per run: the mean of its levels by their shares, and its standard error.
  std::vector<double> mixed, mixed_error;
};

// Null where the sides can't be matched.
struct SharedLevels {
  SharedSide base, candidate;
  bool are_modes = false;
};

// Two levels on either side: modes of the runs, where a run that shows only one is assigned to the
// nearer one. One level on either side: with two or more runs per side, the only level that all of
// them visited, or all but one of three. Cost: O(runs · levels²).
std::optional<SharedLevels> find_shared_levels(std::span<const MeasuredRun> base,
                                               std::span<const MeasuredRun> candidate);

// The mean of figures with independent errors.
Figure mean_of(std::span<const Figure> figures);

}  // namespace planex::analyze
