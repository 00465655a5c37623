// `planex search`: which few layers of a quantized model stay in float, so that it is near enough.
//
// The steps: what each layer does alone in INT8, in the model's own arithmetic, ranks the layers;
// then one after another is put back to float, and each time that it helps is measured
// (quantize/front.h); the models that no other one beats are judged again on all samples that were
// held back, and the cheapest that reaches the goal is written.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "onnx/data_types.h"
#include "planex/error.h"
#include "quantize/front.h"
#include "quantize/search_outcome.h"
#include "tune/data.h"
#include "tune/quantize.h"

namespace planex::tune {

struct SearchRequest {
  QuantizeRequest quantize;  // its placement's `kept` are in float in any case
  // At least one of the three. Without a goal the nearest model within the limits is written.
  std::optional<quantize::Goal> goal;
  std::optional<std::size_t> most_layers;
  std::optional<double> most_macs_ratio;  // of the layers that can be in INT8; axis: kMacs
  quantize::CostAxis axis = quantize::CostAxis::kLayers;
  // Held-back samples to search on, at most; the result is judged on all.
  std::size_t search_limit = 12;
  // Holds what was measured, and is gone on from; empty: nothing is kept.
  std::string state;
  // Where the models of the front are written, to be timed: SearchPoint::path. Empty: nowhere.
  std::string points_folder;
  // What layers in float become for trtexec: kFloat or kFloat16.
  onnx::DataType kept_type = onnx::DataType::kFloat16;
  // Mean time of nodes in an engine, by name; of CostAxis::kMs, and told.
  std::map<std::string, double, std::less<>> node_ms;
};

// Writes `quantize.output`, and its cache if asked for, each whole or not at all. The same request
// gives the same bytes, with a state or without. A goal that no model reaches is no error: the
// nearest is written, and SearchOutcome::is_reached is false.
// Errors: those of quantize_model(); kUsage (no goal and no limit; a goal in classes of a model
// that has none; an axis that has no figures), kBadInput (a state that is none; too few samples).
// Cost: a compile for each layer, some for each step (quantize/front.h).
Result<quantize::SearchOutcome> search_layers(const SearchRequest& request,
                                              const Workshop& workshop);

}  // namespace planex::tune
