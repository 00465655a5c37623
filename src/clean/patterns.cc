#include "clean/patterns.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "clean/evaluate.h"

namespace planex::clean {

std::optional<WithConstant> with_constant(const Draft& draft, NodeId node) {
  if (draft.input_count(node) != 2) return std::nullopt;
  const TensorId first = draft.input(node, 0), second = draft.input(node, 1);
  if (first == kNone || second == kNone) return std::nullopt;
  const bool is_first = draft.is_constant(first);
  if (is_first == draft.is_constant(second)) return std::nullopt;
  if (is_first) return WithConstant{second, first, 0};
  return WithConstant{first, second, 1};
}

std::optional<std::pair<TensorId, double>> scalar_beside(Draft& draft, NodeId node,
                                                         std::string_view op) {
  if (!draft.is_op(node, op)) return std::nullopt;
  const auto found = with_constant(draft, node);
  if (!found) return std::nullopt;
  const bool is_ordered = op == "Sub" || op == "Div" || op == "Pow";
  if (is_ordered && found->place == 0) return std::nullopt;
  const auto value = draft.scalar(found->constant);
  const auto rank = draft.rank(found->computed);
  const auto dims = draft.constant_dims(found->constant);
  // Of a higher rank it would add dimensions.
  if (!value || (!dims->empty() && (!rank || dims->size() > *rank))) return std::nullopt;
  return std::pair(found->computed, *value);
}

std::optional<TensorId> with_scalar(Draft& draft, NodeId node, std::string_view op, double value,
                                    double tolerance) {
  const auto found = scalar_beside(draft, node, op);
  if (!found || std::abs(found->second - value) > std::abs(value) * tolerance) return std::nullopt;
  return found->first;
}

bool is_quantizing(std::string_view op) {
  return op == "QuantizeLinear" || op == "DequantizeLinear" || op == "DynamicQuantizeLinear" ||
         op.starts_with("QLinear") || op.ends_with("Integer");
}

bool is_beside_pairs(const Draft& draft, NodeId node) {
  if (node == kNone) return false;
  for (std::size_t place = 0; place < draft.input_count(node); ++place) {
    const NodeId maker = draft.maker(draft.input(node, place));
    if (maker != kNone && is_quantizing(draft.op(maker))) return true;
  }
  for (const TensorId output : draft.outputs(node)) {
    if (output == kNone) continue;
    for (const Use& use : draft.tensor(output).readers) {
      if (is_quantizing(draft.op(use.node))) return true;
    }
  }
  return false;
}

NodeId maker_of(const Draft& draft, NodeId node, std::size_t place, std::string_view op) {
  if (node == kNone) return kNone;
  const NodeId maker = draft.maker(draft.input(node, place));
  return draft.is_op(maker, op) ? maker : kNone;
}

NodeId reader_of(const Draft& draft, TensorId tensor, std::string_view op) {
  const NodeId reader = draft.sole_reader(tensor);
  return draft.is_op(reader, op) ? reader : kNone;
}

std::optional<Dims> reduced_axes(Draft& draft, NodeId node) {
  const auto rank = draft.rank(draft.input(node, 0));
  if (!rank) return std::nullopt;
  auto axes = draft.ints_of(node, "axes");
  if (!axes && draft.input(node, 1) != kNone) {
    axes = draft.ints(draft.input(node, 1));
    if (!axes) return std::nullopt;
  }
  if (!axes || axes->empty()) {
    if (draft.int_of(node, "noop_with_empty_axes", 0) != 0) return std::nullopt;
    Dims all(*rank);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  for (std::int64_t& axis : *axes) {
    const auto at = axis_at(axis, *rank);
    if (!at) return std::nullopt;
    axis = static_cast<std::int64_t>(*at);
  }
  std::ranges::sort(*axes);
  if (std::ranges::adjacent_find(*axes) != axes->end()) return std::nullopt;
  return axes;
}

std::string derived_name(const Draft& draft, NodeId node, std::string_view what) {
  const TensorId output = draft.output(node);
  std::string name = output == kNone ? draft.name_of(node) : draft.tensor(output).name;
  return name + "_" + std::string(what);
}

TensorId add_floats(Draft& draft, std::string_view name, Dims dims,
                    const std::vector<float>& values) {
  return draft.add_constant(
      name, {.type = onnx::DataType::kFloat, .dims = std::move(dims), .raw = onnx::raw_of(values)});
}

}  // namespace planex::clean
