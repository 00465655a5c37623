// TensorRT's names for element types and memory layouts.
#pragma once

#include <string_view>

#include "model/types.h"

namespace planex::ingest::tensorrt {

struct Format {
  model::DType dtype = model::DType::kNull;
  model::Layout layout;
};

// Reads "Channel major FP16 format where channel % 8 == 0", "Thirty-two wide channel vectorized row
// major Int8 format", "(NHWC) Channel major format", "Row major linear FP32 format (kLINEAR)" or
// just "Half". It matches words rather than whole sentences, because their endings differ between
// versions. A bare type has no layout; anything not understood stays null.
//
// If rows are padded (DLA's formats) or axes are in another order, the layout is kStrided: the
// sentence alone does not determine the size in memory.
Format parse_format(std::string_view text);

// "Half" -> FP16, as in Weights: {"Type": "Half"}.
model::DType parse_type(std::string_view word);

// The engine was inspected without shapes: "N/A due to dynamic shapes".
bool depends_on_shapes(std::string_view text);

}  // namespace planex::ingest::tensorrt
