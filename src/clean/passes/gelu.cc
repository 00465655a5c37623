// x / 2 * (1 + Erf(x / sqrt 2)), with its three factors in any order; and the form with Tanh.
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

constexpr std::int64_t kOpsetOfGelu = 20;
constexpr double kGeluTolerance = 1e-4, kHalf = 0.5, kCubic = 0.044715;

// What two Mul multiply, if one of them is 1/2: the other two.
std::optional<std::pair<TensorId, TensorId>> halved_product(Draft& draft, NodeId node) {
  if (!draft.is_op(node, "Mul")) return std::nullopt;
  // (a * b) / 2.
  if (const auto product = with_scalar(draft, node, "Mul", kHalf)) {
    const NodeId inner = draft.maker(*product);
    if (!draft.is_op(inner, "Mul")) return std::nullopt;
    return std::pair(draft.input(inner, 0), draft.input(inner, 1));
  }
  // (a / 2) * b.
  for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
    const NodeId inner = draft.maker(draft.input(node, place));
    auto half = with_scalar(draft, inner, "Mul", kHalf);
    if (!half) half = with_scalar(draft, inner, "Div", 2);
    if (half) return std::pair(*half, draft.input(node, 1 - place));
  }
  return std::nullopt;
}

// x of 1 + Erf(x / sqrt 2).
TensorId of_erf(Draft& draft, TensorId sum) {
  const auto inner = with_scalar(draft, draft.maker(sum), "Add", 1);
  const NodeId erf = inner ? draft.maker(*inner) : kNone;
  if (!draft.is_op(erf, "Erf")) return kNone;
  const NodeId scaled = draft.maker(draft.input(erf, 0));
  if (const auto x = with_scalar(draft, scaled, "Div", std::numbers::sqrt2, kGeluTolerance))
    return *x;
  return with_scalar(draft, scaled, "Mul", 1 / std::numbers::sqrt2, kGeluTolerance).value_or(kNone);
}

// Whether the tensor is x³, as Pow or as products.
bool is_cube(Draft& draft, TensorId cube, TensorId x) {
  const NodeId node = draft.maker(cube);
  constexpr double kThree = 3;
  if (const auto base = with_scalar(draft, node, "Pow", kThree)) return *base == x;
  if (!draft.is_op(node, "Mul")) return false;
  for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
    const NodeId square = draft.maker(draft.input(node, place));
    if (draft.input(node, 1 - place) != x) continue;
    if (draft.is_op(square, "Mul") && draft.input(square, 0) == x && draft.input(square, 1) == x) {
      return true;
    }
    if (with_scalar(draft, square, "Pow", 2) == x) return true;
  }
  return false;
}

// x of 1 + Tanh(sqrt(2 / pi) * (x + 0.044715 x³)).
TensorId of_tanh(Draft& draft, TensorId sum) {
  const auto inner = with_scalar(draft, draft.maker(sum), "Add", 1);
  const NodeId tanh = inner ? draft.maker(*inner) : kNone;
  if (!draft.is_op(tanh, "Tanh")) return kNone;
  const NodeId scaled = draft.maker(draft.input(tanh, 0));
  const auto polynomial =
      with_scalar(draft, scaled, "Mul", std::sqrt(2 / std::numbers::pi), kGeluTolerance);
  const NodeId terms = polynomial ? draft.maker(*polynomial) : kNone;
  if (!draft.is_op(terms, "Add")) return kNone;
  for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
    const TensorId x = draft.input(terms, 1 - place);
    const NodeId cubic = draft.maker(draft.input(terms, place));
    const auto cube = with_scalar(draft, cubic, "Mul", kCubic, kGeluTolerance);
    if (x != kNone && cube && is_cube(draft, *cube, x)) return x;
  }
  return kNone;
}

void join_gelu(Work& work) {
  Draft& draft = work.draft;
  if (draft.opset() < kOpsetOfGelu) return;
  for (const NodeId node : draft.nodes()) {
    const auto factors = halved_product(draft, node);
    if (!factors || is_beside_pairs(draft, node)) continue;
    const std::array<std::pair<TensorId, TensorId>, 2> orders = {
        {{factors->first, factors->second}, {factors->second, factors->first}}};
    for (const auto& [x, sum] : orders) {
      if (x == kNone || sum == kNone) continue;
      const bool is_erf = of_erf(draft, sum) == x;
      if (!is_erf && of_tanh(draft, sum) != x) continue;
      work.tell(node);
      draft.replace(node, {.op = "Gelu",
                           .name = {},
                           .inputs = {x},
                           .attributes = {{"approximate", std::string(is_erf ? "none" : "tanh")}}});
      break;
    }
  }
}

}  // namespace

const Pass passes::kGelu{"gelu", "Gelu that is spelled out, from opset 20 on", Effect::kRounding,
                         join_gelu};

}  // namespace planex::clean
