#include "quantize/nothing_left.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace planex::quantize {

Failure nothing_to_quantize(const PlacementOptions& options, const Placement& placement) {
  std::string_view why =
      "it has no Conv, ConvTranspose, Gemm or MatMul with a constant weight "
      "of float32";
  if (!options.kept.empty() || !options.only.empty() || !options.op_types.empty()) {
    why = "the nodes and operations that you named leave no layer";
  } else if (std::ranges::any_of(placement.decisions, [](const PlacementDecision& decision) {
               return decision.rule == "floats-only";
             })) {
    why = "its weights are not float32; quantize the model as it was before its conversion";
  } else if (const auto left = std::ranges::find_if(placement.decisions,
                                                    [](const PlacementDecision& decision) {
                                                      return decision.rule == "weights-in-blocks";
                                                    });
             left != placement.decisions.end()) {
    why = left->why;
  } else if (options.format == NumberFormat::kInt4) {
    why =
        "INT4 weights apply to Gemm and MatMul, and none of them has a constant weight of two "
        "dimensions whose depth is a multiple of the block size: a smaller block may help";
  } else if (options.target == Target::kTensorrtRtx) {
    why =
        "no Gemm or MatMul has a constant weight, and other operations gain nothing with "
        "TensorRT-RTX as far as is known; use --only-op Conv to quantize convolutions";
  }
  return fail(ErrorCode::kUnsupported, "no layer of the model can be quantized", std::string(why));
}

}  // namespace planex::quantize
