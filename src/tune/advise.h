// `planex advise`: which edits make the Q/DQ of a model suit a target, what they gain in a measured
// engine, and the model with all of them applied.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/advise_outcome.h"
#include "quantize/gains.h"
#include "quantize/thresholds.h"
#include "tune/data.h"

namespace planex::tune {

struct AdviseRequest {
  std::string model;
  quantize::Target target = quantize::Target::kOpenvino;
  // The engine that was built from the model; without it gains are null.
  std::optional<quantize::MeasuredEngine> engine;
  // Float nodes, by name or by number ("#17"): a block whose gain in INT8 is estimated.
  std::vector<std::string> what_if;
  std::string output;  // the model with all advice applied; empty: none is written
  // Data to calibrate tensors without a scale; without it such advice is not applied.
  std::optional<DataRequest> data;
  quantize::MethodOptions method;  // how
  std::size_t sample_limit = 512;
};

// Writes `output`, whole or not at all. Existing scales are copied bit for bit. `workshop` may be
// null where there is no data. Layers whose weights are float stay in float, in a model that has
// Q/DQ: their author left them so. Errors: those of place() and load_data(); kUsage (what-if
// without an engine; a node that is not
//         there), kBadInput (an engine of another model; NaN in a tensor), kUnsupported (a float
//         model can't be edited: it has no Q/DQ to start from), kIo.
Result<quantize::AdviseOutcome> advise_model(const AdviseRequest& request,
                                             const Workshop* workshop);

}  // namespace planex::tune
