// A BatchNormalization with constant parameters behind a Conv, ConvTranspose, Gemm or MatMul is a
// factor and a shift per channel.
#include <cmath>

#include "clean/affine.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

constexpr std::size_t kScale = 1, kShift = 2, kMean = 3, kVariance = 4, kInputs = 5;

bool is_inference(const Draft& draft, NodeId node) {
  if (draft.input_count(node) != kInputs || draft.int_of(node, "training_mode", 0) != 0) {
    return false;
  }
  for (std::size_t i = 1; i < draft.outputs(node).size(); ++i) {
    if (draft.output(node, i) != kNone) return false;
  }
  return true;
}

void fold_batch_norms(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_op(node, "BatchNormalization") || !is_inference(draft, node)) continue;
    const TensorId input = draft.input(node, 0);
    const auto layer = layer_making(draft, input);
    // Channels are the second axis, of a product the last one.
    if (!layer || layer->channel_axis != 1 || is_beside_pairs(draft, node)) continue;
    std::vector<std::vector<float>> parameters(kInputs);
    bool is_constant = true;
    for (std::size_t i = kScale; i < kInputs && is_constant; ++i) {
      auto read = draft.floats(draft.input(node, i));
      is_constant = read && read->size() == layer->channels;
      if (is_constant) parameters[i] = *std::move(read);
    }
    if (!is_constant) continue;
    const auto epsilon = static_cast<double>(draft.float_of(node, "epsilon", 1e-5F));
    Affine affine;
    for (std::size_t i = 0; i < layer->channels; ++i) {
      const auto of = [&](std::size_t which) { return static_cast<double>(parameters[which][i]); };
      const double factor = of(kScale) / std::sqrt(of(kVariance) + epsilon);
      affine.factors.push_back(factor);
      affine.shifts.push_back(of(kShift) - of(kMean) * factor);
    }
    // Its name goes to the layer's output if it is an output of the graph.
    const std::string name = draft.name_of(node);
    if (!fold_affine(work, *layer, affine)) continue;
    work.tell(name);
    draft.bypass(node, input);
  }
}

}  // namespace

const Pass passes::kBatchNorms{"batch-norms",
                               "BatchNormalization becomes part of the layer before it",
                               Effect::kRounding, fold_batch_norms};

}  // namespace planex::clean
