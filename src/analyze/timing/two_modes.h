// Whether samples cluster at two values.
#pragma once

#include <optional>
#include <span>

namespace planex::analyze {

struct TwoModes {
  double low = 0, high = 0;  // medians of the samples on either side of `split`
  double split = 0;          // the bottom of the valley between them
  double high_ratio = 0;     // samples above the split, of all
  // By how much the Bayesian information criterion prefers two normal distributions to one.
  double bic_gain = 0;
};

// The two largest peaks of the histogram, if they are kMinChangeRatio apart, each contains a tenth
// of the samples, the valley between them is too deep for chance, and two normal distributions fit
// better than one. Values that are one `timer_step` apart (0 where none is known) do not count as
// modes. Shapes: sorted[n] ascending, positive. Cost: O(n).
std::optional<TwoModes> find_two_modes(std::span<const double> sorted, double timer_step = 0);

}  // namespace planex::analyze
