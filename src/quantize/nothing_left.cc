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
    why = "what was named leaves nothing";
  } else if (std::ranges::any_of(placement.decisions, [](const PlacementDecision& decision) {
               return decision.rule == "floats-only";
             })) {
    why = "its weights are not float32; quantize the model as it was before it was converted";
  } else if (const auto left = std::ranges::find_if(placement.decisions,
                                                    [](const PlacementDecision& decision) {
                                                      return decision.rule == "weights-in-blocks";
                                                    });
             left != placement.decisions.end()) {
    why = left->why;
  } else if (options.format == NumberFormat::kInt4) {
    why =
        "of the operations with INT4 weights, Gemm and MatMul, it has none whose weight is "
        "constant, of two dimensions, and a multiple of the block deep: a smaller block may help";
  } else if (options.target == Target::kTensorrtRtx) {
    why =
        "of Gemm and MatMul it has none with a constant weight, and other operations gain "
        "nothing "
        "with TensorRT-RTX as far as is known; --only-op Conv asks for convolutions";
  }
  return fail(ErrorCode::kUnsupported, "no layer of the model can be quantized", std::string(why));
}

}  // namespace planex::quantize
