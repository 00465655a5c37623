// Scales that are too coarse for what they quantize, told from the model alone: ranges of
// operations whose values are bounded by what they compute.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/values.h"
#include "quantize/existing.h"

namespace planex::quantize {

// A part that keeps fewer steps than this has lost more than five of its eight bits.
inline constexpr double kMinSteps = 8;

struct ValueRange {
  double low = 0, high = 0;
};

// What a tensor's values lie within, whatever the data: 0 … 1 behind Sigmoid and Softmax, the
// limits of Clip, and so on, through operations that move values, pick some or join them. Nothing
// where it is not bounded, or not by much.
class ValueRanges {
 public:
  // Cost: O(nodes and their inputs).
  ValueRanges(const onnx::Model& model, const onnx::Links& links, onnx::Values& values);
  std::optional<ValueRange> of(std::string_view tensor) const;

 private:
  std::optional<ValueRange> of_node(const onnx::Node& node);
  std::optional<ValueRange> limits_of(const onnx::Node& node);

  const onnx::Model& model_;
  const onnx::Links& links_;
  onnx::Values& values_;
  std::vector<std::optional<ValueRange>> known_;  // by node
};

// One scale for what is joined, or for a tensor: the part with the fewest steps.
struct CoarseScale {
  std::string tensor;  // that is quantized
  std::string part;    // whose values it is too coarse for; the tensor itself, or what is joined
  double scale = 0;
  double low = 0, high = 0;  // of the part's values
  double step_count = 0;     // (high − low) ÷ scale
};

// Pairs of one scale each, in the order of the model. O(nodes + pairs · inputs of the joining
// node).
std::vector<CoarseScale> find_coarse_scales(const onnx::Model& model, const onnx::Links& links,
                                            const Existing& existing, onnx::Values& values);

// "scale 1.227 of "c" is wider than the whole range of "s" (0 … 1)", or "… leaves 3.1 of 256 steps
// to the range of …".
std::string sentence_of(const CoarseScale& coarse);
// What to do about it: a clause.
std::string cure_of(const CoarseScale& coarse);

}  // namespace planex::quantize
