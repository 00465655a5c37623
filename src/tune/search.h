// `planex search`: which few layers of a quantized model to keep in float, so that it is close
// enough.
//
// The steps: one model whose layers are switched tells what each loses alone in INT8, in the
// model's own arithmetic (layer_effects.h), which puts the layers in an order; how many of the
// first have to be in float is measured by halving (quantize/prefix_search.h); the models that no
// other model beats are judged again on all held-back samples, and the cheapest that reaches the
// goal is written.
#pragma once

#include <chrono>
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
  QuantizeRequest quantize;  // its placement's `kept` stay in float in any case
  // At least one of the three. Without a goal the closest model within the limits is written.
  std::optional<quantize::Goal> goal;
  std::optional<std::size_t> most_layers;
  std::optional<double> most_macs_ratio;  // share of the layers that can be in INT8; axis: kMacs
  quantize::CostAxis axis = quantize::CostAxis::kLayers;
  // Held-back samples to search on, at most; the result is judged on all.
  std::size_t search_limit = 12;
  // File of measurements from which a search continues; empty: nothing is kept.
  std::string state;
  // Where to write the models of the front for timing: SearchPoint::path. Empty: nowhere.
  std::string points_folder;
  // The type of float layers for trtexec: kFloat or kFloat16.
  onnx::DataType kept_type = onnx::DataType::kFloat16;
  // Mean time of nodes in an engine, by name; for CostAxis::kMs, and shown.
  std::map<std::string, double, std::less<>> node_ms;
  // From then on nothing more is measured: the cheapest model so far that reaches the goal is
  // judged and written, else the closest. Looked at between measurements; the workshop's
  // cancellation stops these themselves.
  std::optional<std::chrono::steady_clock::time_point> until;
};

// Writes `quantize.output`, and its cache if asked for, each whole or not at all. The same request
// gives the same bytes, with a state or without. A goal that no model reaches is not an error: the
// closest is written, and SearchOutcome::is_reached is false. Errors: those of quantize_model();
// kUsage (no goal and no limit; a goal in classes of a model that has none; an axis that has no
// figures), kBadInput (an invalid state; too few samples). Cost: O(log(layers)) compilations
// (quantize/prefix_search.h), and those of layer_effects().
Result<quantize::SearchOutcome> search_layers(const SearchRequest& request,
                                              const Workshop& workshop);

}  // namespace planex::tune
