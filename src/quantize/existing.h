// The Q/DQ that a model has.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/values.h"
#include "planex/error.h"

namespace planex::quantize {

// What a Q or DQ reads besides its values.
struct ExistingScale {
  onnx::Index scale = onnx::kNoIndex;       // Model::tensors; kNoIndex: computed
  onnx::Index zero_point = onnx::kNoIndex;  // kNoIndex: left out, so 0; or computed
  // Bits of each float32 scale, as trained: one, or one per channel. Empty where unknown, or where
  // they are not float32.
  std::vector<std::uint32_t> bits;
  std::vector<std::int64_t> zero_points;  // empty: 0
  bool is_unsigned = false;               // zero points of uint8
  bool is_float8 = false;                 // FP8 (E4M3)
  std::int64_t axis = 1;                  // where there are several scales
};

// One DQ, and the Q before it, which can be shared with other DQ.
struct ExistingPair {
  std::string_view tensor;  // what Q reads
  std::string_view output;  // what DQ writes
  onnx::Index quantizer = onnx::kNoIndex, dequantizer = onnx::kNoIndex;
  onnx::Index maker = onnx::kNoIndex;  // maker of the tensor; kNoIndex: an input
  std::vector<onnx::Reader> readers;   // readers of the output
  ExistingScale scale;                 // the scale of the DQ
};

// Integers that only a DQ reads.
struct ExistingWeight {
  std::string_view name;
  onnx::Index tensor = onnx::kNoIndex;  // Model::tensors
  onnx::Index dequantizer = onnx::kNoIndex;
  std::vector<onnx::Reader> readers;  // readers of what the DQ writes
  ExistingScale scale;
};

struct Existing {
  std::vector<ExistingPair> pairs;      // in the order of their DQ
  std::vector<ExistingWeight> weights;  // in the order of their DQ
  // Q and DQ that belong to no pair, because integer operations are between them.
  std::vector<onnx::Index> others;
};

// Reads the pairs of the main graph. Errors: those of `values` for scales that exist but can't be
// read.
Result<Existing> read_existing(const onnx::Model& model, const onnx::Links& links,
                               onnx::Values& values);

}  // namespace planex::quantize
