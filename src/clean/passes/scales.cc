// Mul, Div, Add and Sub with constants: behind a layer they become part of its weights and bias,
// and two in a row become one. Keras exports spell BatchNormalization like that.
#include <algorithm>
#include <array>

#include "clean/affine.h"
#include "clean/evaluate.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

bool is_arithmetic(std::string_view op) {
  return op == "Mul" || op == "Div" || op == "Add" || op == "Sub";
}

bool fold_behind_layer(Work& work, NodeId node) {
  Draft& draft = work.draft;
  const std::string_view op = draft.op(node);
  const auto operands = with_constant(draft, node);
  if (!operands || is_beside_pairs(draft, node)) return false;
  const auto layer = layer_making(draft, operands->computed);
  if (!layer) return false;
  auto constants = per_channel(draft, *layer, operands->constant);
  if (!constants) return false;
  Affine affine{std::vector<double>(layer->channels, 1), std::vector<double>(layer->channels, 0)};
  for (std::size_t i = 0; i < layer->channels; ++i) {
    const double constant = (*constants)[i];
    if (op == "Mul") {
      affine.factors[i] = constant;
    } else if (op == "Div") {
      if (operands->place == 0 || constant == 0) return false;
      affine.factors[i] = 1 / constant;
    } else if (op == "Add") {
      affine.shifts[i] = constant;
    } else if (operands->place == 1) {
      affine.shifts[i] = -constant;
    } else {
      affine.factors[i] = -1;
      affine.shifts[i] = constant;
    }
  }
  std::string name = draft.name_of(node);
  if (!fold_affine(work, *layer, affine)) return false;
  work.tell(std::move(name));
  draft.bypass(node, operands->computed);
  return true;
}

// (x * a) * b, (x + a) + b.
void join_two(Work& work, NodeId node) {
  Draft& draft = work.draft;
  const std::string_view op = draft.op(node);
  if (op != "Mul" && op != "Add") return;
  const auto outer = with_constant(draft, node);
  if (!outer || !draft.is_type(outer->computed, onnx::DataType::kFloat)) return;
  const NodeId before = draft.maker(outer->computed);
  if (!draft.is_op(before, op) || draft.sole_reader(outer->computed) != node) return;
  const auto inner = with_constant(draft, before);
  if (!inner || is_beside_pairs(draft, before) || is_beside_pairs(draft, node)) return;
  constexpr std::int64_t kMaxBytes = 1 << 20;
  const std::array<std::optional<Constant>, 2> constants = {draft.load(inner->constant, kMaxBytes),
                                                            draft.load(outer->constant, kMaxBytes)};
  if (!constants[0] || !constants[1]) return;
  auto joined = evaluated(draft, node, constants);
  // A column and a row would become a matrix.
  if (!joined ||
      joined->front().raw.size() > std::max(constants[0]->raw.size(), constants[1]->raw.size())) {
    return;
  }
  work.tell(before);
  const TensorId made =
      draft.add_constant(derived_name(draft, node, "constant"), std::move(joined->front()));
  draft.set_input(node, outer->place, made);
  draft.set_input(node, 1 - outer->place, inner->computed);
}

void fold_scales(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_live(node) || !is_arithmetic(draft.op(node)) || draft.output(node) == kNone) {
      continue;
    }
    if (!fold_behind_layer(work, node)) join_two(work, node);
  }
}

}  // namespace

const Pass passes::kScales{"scales",
                           "arithmetic with constants becomes part of the layer before it",
                           Effect::kRounding, fold_scales};

}  // namespace planex::clean
