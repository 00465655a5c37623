// The result of a search for the layers to keep in float: it is shown, and written as
// planex.search/1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantize/front.h"
#include "quantize/outcome.h"
#include "quantize/placement_rules.h"
#include "quantize/thresholds.h"

namespace planex::quantize {

// A layer that can compute in INT8.
struct SearchLayer {
  std::string node, op_type;
  // Multiply-accumulates for one sample; null where OpenVINO's reader drops what the layer reads or
  // writes.
  std::optional<std::int64_t> macs;
  std::optional<double> macs_ratio;  // share of all these layers
  std::int64_t weight_bytes = 0;     // in float
  std::optional<double> ms;          // in the engine that was given
  Score alone;                       // the model with this layer alone in INT8
  bool is_kept = false;              // in the written model
};

// A model on the path of the search, or on the front.
struct SearchPoint {
  std::vector<std::string> kept;  // nodes in float, in the graph's order
  std::optional<double> macs_ratio;
  std::int64_t weight_bytes = 0;
  std::optional<double> ms;
  Score score;                  // on the samples of the search
  std::optional<Score> judged;  // on all held-back samples
  // For an inference of the whole model, with its 95 % interval; null: it was not timed.
  std::optional<double> median_ms, median_low_ms, median_high_ms;
  bool is_chosen = false;
  std::string path;  // where the model was written for timing; empty: nowhere
};

struct SearchOutcome {
  std::string model, output, cache, state;
  std::string output_sha256;  // of the file, without its external data; empty: unknown
  Target target = Target::kOpenvino;
  MethodOptions method;
  int weight_bits = 8;
  std::optional<Goal> goal;
  std::optional<std::size_t> most_layers;
  std::optional<double> most_macs_ratio;
  CostAxis axis = CostAxis::kLayers;
  bool is_reached = false;  // whether the written model reaches the goal on all samples
  std::size_t calibration_count = 0, search_count = 0, judge_count = 0;
  std::size_t measured_count = 0;   // models that were compiled and run
  std::size_t known_count = 0;      // whose figures were in the state file
  std::size_t run_count = 0;        // how many runs each point of the front was timed in
  Score all_int8;                   // no layer in float, on the samples of the search
  std::vector<SearchLayer> layers;  // in the graph's order
  std::vector<SearchPoint> path;    // the steps that the search took
  std::vector<SearchPoint> front;   // by cost
  std::vector<std::string> kept;    // nodes in float: asked for, then found
  // For the written model, on all held-back samples.
  std::vector<JudgedTensor> simulated, engine, engine_to_simulated;
  std::vector<LabelScore> labels;
  std::vector<MetricScore> metrics;
  std::string precision_options;  // for trtexec; empty: no layer in float, or none with a name
  std::vector<std::string> preparation;
  std::vector<RefusedSample> refused;
  std::string runtime_version, isa;
  std::vector<std::string> notes;
};

}  // namespace planex::quantize
