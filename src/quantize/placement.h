// Where Q/DQ go in a float model, for a target, by rules that are data (placement_rules.h).
//
// Nothing is measured here and no data is needed: what is placed is which tensors get a pair, which
// readers take it, and which weights are quantized; scales come later.
#ifndef PLANEX_QUANTIZE_PLACEMENT_H_
#define PLANEX_QUANTIZE_PLACEMENT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/links.h"
#include "onnx/model.h"
#include "planex/error.h"
#include "quantize/placement_rules.h"

namespace planex::quantize {

struct PlacementOptions {
  Target target = Target::kOpenvino;
  // Nodes, by name or by number ("#17"), that stay in float.
  std::vector<std::string> kept;
  // Operations that may be quantized; empty: those of the target.
  std::vector<std::string> op_types;
  // Layers named here only, all others are kept; empty: all. For single effects.
  std::vector<std::string> only;
};

// A tensor that gets one pair, shared by all readers in `readers`.
struct PlacedTensor {
  std::string_view name;
  std::vector<onnx::Reader> readers;
  // Tensors with one number share a scale (inputs of a Concat): the largest of theirs.
  std::uint32_t scale_group = 0;
  bool is_unsigned = false;             // uint8 with zero point 128, where the target wants it
  std::vector<std::string_view> rules;  // ids
};

struct PlacedWeight {
  std::string_view name;
  onnx::Index tensor = onnx::kNoIndex;  // Model::tensors
  std::vector<onnx::Reader> readers;    // one DQ for all
  int axis = 0;                         // of the channels
  onnx::Index layer = onnx::kNoIndex;   // node
};

// A rule that was, or could have been, applied at a place.
struct PlacementDecision {
  std::string_view rule;  // id
  onnx::Index node = onnx::kNoIndex;
  std::string_view tensor;
  bool is_applied = false;
  std::string why;  // one sentence
};

struct Placement {
  std::vector<PlacedTensor> tensors;  // in the graph's order
  std::vector<PlacedWeight> weights;
  std::vector<onnx::Index> layers;  // nodes that compute in INT8
  std::vector<PlacementDecision> decisions;
};

// Errors: kBadInput (a kept node that is not there, with the nearest name), kUnsupported (no node
// can be quantized).
Result<Placement> place(const onnx::Model& model, const onnx::Links& links,
                        const PlacementOptions& options);

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_PLACEMENT_H_
