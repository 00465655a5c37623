// A product of two matrices, and the sum with a row: one Gemm.
#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

void join_gemm(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_op(node, "Add")) continue;
    const auto operands = with_constant(draft, node);
    if (!operands) continue;
    const NodeId product = draft.maker(operands->computed);
    if (!draft.is_op(product, "MatMul") || draft.sole_reader(operands->computed) != node ||
        is_beside_pairs(draft, product) || is_beside_pairs(draft, node)) {
      continue;
    }
    const TensorId left = draft.input(product, 0), weight = draft.input(product, 1);
    const auto dims = draft.constant_dims(weight);
    const auto bias = draft.constant_dims(operands->constant);
    if (draft.rank(left) != 2 || !dims || dims->size() != 2 ||
        !draft.is_type(left, onnx::DataType::kFloat)) {
      continue;
    }
    const bool is_row = (bias->size() == 1 && (*bias)[0] == (*dims)[1]) ||
                        (bias->size() == 2 && (*bias)[0] == 1 && (*bias)[1] == (*dims)[1]);
    if (!is_row) continue;
    work.tell(node);
    draft.replace(
        node,
        {.op = "Gemm", .name = {}, .inputs = {left, weight, operands->constant}, .attributes = {}});
  }
}

}  // namespace

const Pass passes::kGemm{"gemm", "a product of matrices with a sum behind it becomes a Gemm",
                         Effect::kRounding, join_gemm};

}  // namespace planex::clean
