// Errors of independent figures.
#pragma once

#include <cmath>

namespace planex::analyze {

// √(a² + b² + c²), in their unit. std::hypot differs between C libraries in the last bit; a square
// root does not.
inline double root_of_squares(double a, double b, double c = 0) {
  return std::sqrt(a * a + b * b + c * c);
}

}  // namespace planex::analyze
