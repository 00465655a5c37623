// Lists of sizes that a model computes for Reshape, Slice and others.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "onnx/attributes.h"
#include "onnx/shape_rules.h"

namespace planex::onnx {
namespace {

std::optional<std::int64_t> computed(std::string_view type, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (a == kUnknownElement || b == kUnknownElement) return std::nullopt;
  if (type == "Add" && !__builtin_add_overflow(a, b, &result)) return result;
  if (type == "Sub" && !__builtin_sub_overflow(a, b, &result)) return result;
  if (type == "Mul" && !__builtin_mul_overflow(a, b, &result)) return result;
  if (type == "Div" && a >= 0 && b > 0) return a / b;
  return std::nullopt;
}

}  // namespace

std::optional<ShapeDims> output_elements(const NodeShapes& shapes) {
  const Node& node = shapes.node;
  const std::string_view type = node.op_type;
  if (!is_default_domain(node.domain) || node.function != kNoIndex) return std::nullopt;
  const auto attribute = [&](std::string_view name) {
    return find_attribute(shapes.model, node, name);
  };
  const auto number = [&](std::string_view name, std::int64_t fallback) {
    const Attribute* found = attribute(name);
    return found == nullptr ? fallback : int_of(*found).value_or(fallback);
  };
  if (type == "Shape") {
    auto dims = shapes.input(0);
    if (!dims || attribute("start") != nullptr || attribute("end") != nullptr) return std::nullopt;
    for (std::int64_t& dim : *dims) dim = dim < 0 ? kUnknownElement : dim;
    return dims;
  }
  if (type == "Constant") {
    if (const Attribute* list = attribute("value_ints")) {
      return ints_of(*list, kMaxListElements + 1);
    }
    if (const Attribute* one = attribute("value_int")) {
      return ShapeDims{int_of(*one).value_or(0)};
    }
    return std::nullopt;
  }
  if (type == "Identity" || type == "Squeeze" || type == "Unsqueeze") return shapes.elements(0);
  if (type == "Cast") {
    // Not to a float, whose quotients have fractions.
    const auto to = static_cast<DataType>(number("to", 0));
    const bool is_integer = to == DataType::kInt64 || to == DataType::kInt32;
    return is_integer ? shapes.elements(0) : std::nullopt;
  }
  if (type == "Concat") {
    ShapeDims result;
    const std::size_t count = shapes.model.inputs_of(node).size();
    for (std::size_t i = 0; i < count && result.size() <= kMaxListElements; ++i) {
      const auto dims = shapes.input(i);
      const auto part = shapes.elements(i);
      if (part && (!dims || dims->size() == 1)) {
        result.insert(result.end(), part->begin(), part->end());
      } else if (dims && dims->size() == 1 && dims->front() >= 0 &&
                 dims->front() <= static_cast<std::int64_t>(kMaxListElements)) {
        result.insert(result.end(), static_cast<std::size_t>(dims->front()), kUnknownElement);
      } else {
        return std::nullopt;
      }
    }
    return result;
  }
  if (type == "Gather") {
    const auto list = shapes.elements(0), indices = shapes.elements(1);
    if (!list || !indices || number("axis", 0) != 0) return std::nullopt;
    ShapeDims result;
    for (std::int64_t index : *indices) {
      const auto size = static_cast<std::int64_t>(list->size());
      if (index == kUnknownElement) return std::nullopt;
      if (index < 0) index += size;
      if (index < 0 || index >= size) return std::nullopt;
      result.push_back((*list)[static_cast<std::size_t>(index)]);
    }
    return result;
  }
  if (type == "Slice") {
    const auto list = shapes.elements(0), starts = shapes.elements(1), ends = shapes.elements(2);
    const std::size_t count = shapes.model.inputs_of(node).size();
    if (!list || !starts || !ends || starts->size() != 1 || ends->size() != 1) return std::nullopt;
    const auto steps = shapes.elements(4);
    if (count > 4 && (!steps || steps->size() != 1 || steps->front() != 1)) return std::nullopt;
    const auto size = static_cast<std::int64_t>(list->size());
    const auto place = [&](std::int64_t at) {
      return std::clamp<std::int64_t>(at < 0 ? at < -size ? 0 : at + size : at, 0, size);
    };
    if (starts->front() == kUnknownElement || ends->front() == kUnknownElement) return std::nullopt;
    const std::int64_t from = place(starts->front()), to = place(ends->front());
    if (from >= to) return ShapeDims();
    return ShapeDims(list->begin() + from, list->begin() + to);
  }
  if (type == "Add" || type == "Sub" || type == "Mul" || type == "Div") {
    const auto a = shapes.elements(0), b = shapes.elements(1);
    if (!a || !b || a->empty() || b->empty()) return std::nullopt;
    if (a->size() != b->size() && a->size() != 1 && b->size() != 1) return std::nullopt;
    ShapeDims result;
    for (std::size_t i = 0; i < std::max(a->size(), b->size()); ++i) {
      result.push_back(computed(type, (*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i])
                           .value_or(kUnknownElement));
    }
    return result;
  }
  return std::nullopt;
}

}  // namespace planex::onnx
