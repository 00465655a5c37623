// A measure of the user's own, of the three results.
#pragma once

#include <optional>
#include <string>

namespace planex::quantize {

// Each by the user's program, against the float model's results; null: it gave none.
struct MetricScore {
  std::string name;
  std::optional<double> original, simulated, engine;
};

}  // namespace planex::quantize
