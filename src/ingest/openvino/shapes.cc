#include "ingest/openvino/shapes.h"

#include <string>

#include "base/checked.h"

namespace planex::ingest::openvino {
namespace {

using base::CheckedInt;

std::optional<std::int64_t> product(Dims dims, std::size_t first = 0) {
  CheckedInt result = 1;
  for (std::size_t i = first; i < dims.size(); ++i) {
    if (dims[i] < 0) return std::nullopt;
    result *= dims[i];
  }
  return result.value();
}

std::optional<std::int64_t> product_of(std::optional<std::int64_t> a,
                                       std::optional<std::int64_t> b) {
  return a && b ? (CheckedInt(*a) * *b).value() : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> macs_from_shapes(std::string_view layer_type, Dims data, Dims weights,
                                             Dims out) {
  if (data.empty() || out.empty()) return std::nullopt;
  const bool is_transposed = layer_type == "Deconvolution";
  if (layer_type == "Convolution" || is_transposed) {
    const std::size_t first = weights.size() == out.size() + 1 ? 2 : 1;
    if (weights.size() != out.size() && first == 1) return std::nullopt;
    return product_of(product(is_transposed ? data : out), product(weights, first));
  }
  if (layer_type == "FullyConnected") {
    return product_of(product(out), product(data.last(1)));
  }
  if (layer_type == "MatMul" && data.size() >= 2 && out.size() >= 2) {
    const std::int64_t rows = out[out.size() - 2];
    const auto elements = product(data.last(2));
    if (rows <= 0 || !elements || *elements % rows != 0) return std::nullopt;
    return product_of(product(out), *elements / rows);
  }
  return std::nullopt;
}

bool is_same_order(std::string_view from, std::string_view to, Dims dims) {
  const auto essential = [&](std::string_view order) -> std::optional<std::string> {
    std::string kept;
    for (const char letter : order) {
      if (letter < 'a' || letter > 'z') return std::nullopt;  // blocked: aBcd16b
      const auto axis = static_cast<std::size_t>(letter - 'a');
      if (axis >= dims.size()) return std::nullopt;
      if (dims[axis] != 1) kept += letter;
    }
    return kept;
  };
  const auto a = essential(from);
  return a && a == essential(to);
}

}  // namespace planex::ingest::openvino
