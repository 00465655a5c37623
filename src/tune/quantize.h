// `planex quantize`: turns a float model and data into a quantized model, and reports what that
// costs.
//
// The steps: place Q/DQ (quantize/placement.h), run the float model on samples and observe the
// ranges of the placed tensors, choose thresholds, write the model, and judge it on held-back
// samples: its own arithmetic, and what the engine makes of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/outcome.h"
#include "quantize/placement.h"
#include "quantize/thresholds.h"
#include "tune/data.h"
#include "tune/split.h"

namespace planex::tune {

struct QuantizeRequest {
  std::string model;
  std::string output;           // the quantized model
  std::string cache;            // TensorRT calibration cache; empty: none
  bool is_cache_whole = false;  // with a scale for every float tensor, as a DLA needs
  SplitRequest samples;         // for INT4 its path may be empty: the model is then not judged
  quantize::PlacementOptions placement;
  // None: each of candidates() is judged, and the best is used.
  std::optional<quantize::MethodOptions> method;
  std::vector<std::string> metrics;  // the user's own programs: scores.h
  int weight_bits = 0;  // for INT8 8 or 7; 0: 7 where the engine of this CPU loses with 8, or may
  std::int64_t opset = 0;
};

// What `auto` tries, in this order; an earlier one wins a tie. For INT4 there is only one way.
std::vector<quantize::MethodOptions> candidates(quantize::NumberFormat format);

// Writes `output`, and `cache` if asked for, each whole or not at all.
// Errors: those of load_data() and place(); kBadInput (NaN in a tensor: names it), kIo.
Result<quantize::Outcome> quantize_model(const QuantizeRequest& request, const Workshop& workshop);

// For a model for TensorRT or TensorRT-RTX: operations without Q/DQ run in FP32 there; names the
// command that changes it. Empty for targets that choose the type themselves. `outcome` names its
// output.
std::string note_on_float_rest(const quantize::Outcome& outcome);

}  // namespace planex::tune
