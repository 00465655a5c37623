// A measure of the user's own, of the three results.
#ifndef PLANEX_QUANTIZE_METRIC_SCORE_H_
#define PLANEX_QUANTIZE_METRIC_SCORE_H_

#include <optional>
#include <string>

namespace planex::quantize {

// Each by the user's program, against the float model's results; null: it gave none.
struct MetricScore {
  std::string name;
  std::optional<double> original, simulated, engine;
};

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_METRIC_SCORE_H_
