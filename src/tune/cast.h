// `planex cast`: a model in float16 or bfloat16 where that is safe, and what that costs; or the
// types that an older trtexec command asked for.
//
// The steps: raise the opset where the types need it, observe the ranges of all float tensors on
// samples, decide (quantize/cast.h), write, judge the cast model's own arithmetic.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "onnx/data_types.h"
#include "planex/error.h"
#include "quantize/cast.h"
#include "quantize/cast_outcome.h"
#include "tune/data.h"

namespace planex::tune {

struct CastRequest {
  std::string model;   // empty: that of the command
  std::string output;  // the cast model
  std::string staged;  // where it is made; empty: `output`
  // Null: the type that the command asks for.
  std::optional<onnx::DataType> type;
  // `type` and `ranges` are set here.
  quantize::CastOptions options;
  // As in trtexec: nodes set to fp32 stay in float, those set to fp16 or bf16 are cast.
  std::string layer_precisions, layer_output_types;
  std::string command;  // command of trtexec up to 10.16; empty: none
  // None: only the ranges of weights decide.
  std::optional<DataRequest> data;
  std::size_t sample_limit = 32;  // for ranges
  std::size_t judge_limit = 8;    // how many of these are judged, from the first on
  // Nodes are kept in float until each judged tensor has this SQNR.
  std::optional<double> keep_below_db;
};

// The model to read: that of the request, or of its command. Empty: none.
std::string cast_source(const CastRequest& request);

// Writes `staged`, whole or not at all. `workshop` may be null without data.
// Errors: those of load_data(), plan_casts() and onnx::upgrade(); kUsage (nothing to cast to, a
//         command that is not valid); kBadInput (NaN in a tensor of the float model: names it);
//         kIo.
Result<quantize::CastOutcome> cast_model(const CastRequest& request, const Workshop* workshop);

}  // namespace planex::tune
