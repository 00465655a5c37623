// Q/DQ in a model that nothing was compiled from, and what targets would make of it. Filled by code
// that knows the rules of placement; like findings, it is a part of the summary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace planex::analyze {

struct TargetPlan {
  std::string target;  // tensorrt, tensorrt-rtx, openvino, onnxruntime
  // Layers that its rules quantize to INT8, for a float model; null: the model has Q/DQ, or nothing
  // can be quantized.
  std::optional<std::int64_t> layers;
  // Tensors that would get a Q/DQ pair; null as above.
  std::optional<std::int64_t> tensors;
  // Edits that its rules require for existing Q/DQ; null: the model has none.
  std::optional<std::int64_t> edits;
  // Tensors that the engine would likely copy into another layout (layout_forecast.h): inputs,
  // others, outputs; null: not known.
  std::optional<std::int64_t> layout_copies_at_inputs, layout_copies_inside,
      layout_copies_at_outputs;
};

// One scale for a tensor, or for tensors joined in it, that is too coarse for a part of its values.
struct CoarseScaleFact {
  std::string tensor, part;
  double step_count = 0;       // that the range of the whole tensor has
  std::string sentence, cure;  // clauses without a full stop
};

struct ModelPlan {
  std::int64_t product_count = 0;  // convolutions and matrix products
  // Among these: those that read a quantized activation and a quantized weight, and those that read
  // only one.
  std::int64_t quantized_count = 0, partly_quantized_count = 0;
  std::int64_t pair_count = 0;                 // Q/DQ pairs of activations
  std::int64_t quantized_weight_count = 0;     // weights after a DQ, or a pair
  std::vector<CoarseScaleFact> coarse_scales;  // in the order of the model
  std::vector<TargetPlan> targets;
};

}  // namespace planex::analyze
