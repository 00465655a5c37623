// A user-defined measure of the three results.
#pragma once

#include <optional>
#include <string>

namespace planex::quantize {

// Each printed by the user's program, against the float model's results; null: it printed none.
struct MetricScore {
  std::string name;
  std::optional<double> original, simulated, engine;
};

}  // namespace planex::quantize
