// Scales that are too coarse for what they quantize, found from the model alone: operations whose
// results are bounded, whatever the data.
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

// The range that a tensor's values are within, whatever the data: 0 … 1 after Sigmoid and Softmax,
// the limits of Clip, and so on, through operations that move values, pick some or join them. Empty
// where it is unbounded, or hardly bounded.
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

// One scale for a joined tensor, or for a single tensor: the part with the fewest steps.
struct CoarseScale {
  std::string tensor;  // the quantized tensor
  std::string part;    // whose values it is too coarse for; the tensor itself, or a joined part
  double scale = 0;
  double low = 0, high = 0;  // range of the part's values
  double step_count = 0;     // (high − low) ÷ scale
};

// Pairs of one scale each, in the order of the model. O(nodes + pairs · inputs of the joining
// node).
std::vector<CoarseScale> find_coarse_scales(const onnx::Model& model, const onnx::Links& links,
                                            const Existing& existing, onnx::Values& values);

// "scale 1.227 of "c" is wider than the whole range of "s" (0 … 1)", or "… leaves only 3.1 of 255
// steps for the whole range of …".
std::string sentence_of(const CoarseScale& coarse);
// How to fix it: a clause.
std::string cure_of(const CoarseScale& coarse);

}  // namespace planex::quantize
