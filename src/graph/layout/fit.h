// Places on a line: as close as possible to each wish, in a given order, and with given minimum
// distances.
#pragma once

#include <limits>
#include <span>
#include <vector>

namespace planex::graph::layout {

struct Wish {
  double place = 0;
  double weight = 1;
  // Minimum distance from the previous one; unused for the first one.
  double distance = 0;
};

// Fitter::fit replaces wishes[i].place by the place that it gets. Weighted least squares under the
// order: isotonic regression by pooling adjacent violators. Cost: linear.
class Fitter {
 public:
  void fit(std::span<Wish> wishes, double least = -std::numeric_limits<double>::infinity(),
           double most = std::numeric_limits<double>::infinity());

 private:
  struct Pool {
    double sum = 0;
    double weight = 0;
    std::size_t end = 0;
    double mean() const { return sum / weight; }
  };
  std::vector<Pool> pools_;
};

}  // namespace planex::graph::layout
