#include "clean/affine.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "clean/patterns.h"

namespace planex::clean {
namespace {

bool is_one(double value) { return value == 1; }
bool is_zero(double value) { return value == 0; }

// The channel of each element of the weight.
class Channels {
 public:
  Channels(const Draft& draft, const Layer& layer, const Dims& dims) : layer_(layer) {
    const std::string_view op = draft.op(layer.node);
    if (op == "ConvTranspose") {
      // [inputs, outputs of a group, ...]; the inputs of a group are adjacent.
      groups_ = size_of(std::max<std::int64_t>(1, draft.int_of(layer.node, "group", 1)));
      inputs_ = size_of(dims[0]);
      outputs_ = size_of(dims[1]);
      inner_ = 1;
      for (std::size_t i = 2; i < dims.size(); ++i) inner_ *= size_of(dims[i]);
    } else {
      const bool is_last =
          op == "MatMul" || (op == "Gemm" && draft.int_of(layer.node, "transB", 0) == 0);
      inner_ = 1;
      for (std::size_t i = 1; i < dims.size() && !is_last; ++i) inner_ *= size_of(dims[i]);
    }
  }

  std::size_t operator()(std::size_t element) const {
    if (outputs_ == 0) return element / inner_ % layer_.channels;
    const std::size_t row = element / (outputs_ * inner_);
    const std::size_t group = row / (inputs_ / groups_);
    return group * outputs_ + element / inner_ % outputs_;
  }

 private:
  const Layer& layer_;
  std::size_t groups_ = 1, inputs_ = 0, outputs_ = 0, inner_ = 1;
};

}  // namespace

std::optional<Layer> layer_making(Draft& draft, TensorId tensor) {
  const NodeId node = draft.maker(tensor);
  if (!draft.is_live(node) || draft.sole_reader(tensor) == kNone) return std::nullopt;
  const std::string_view op = draft.op(node);
  const bool is_conv = op == "Conv" || op == "ConvTranspose";
  if (!is_conv && op != "Gemm" && op != "MatMul") return std::nullopt;
  const TensorId weight = draft.input(node, 1), bias = draft.input(node, 2);
  if (!draft.is_constant(weight) || !draft.is_type(weight, onnx::DataType::kFloat) ||
      draft.is_constant(draft.input(node, 0)) || is_beside_pairs(draft, node)) {
    return std::nullopt;
  }
  if (bias != kNone && !draft.is_constant(bias)) return std::nullopt;
  const auto dims = draft.constant_dims(weight);
  Layer layer{.node = node};
  if (is_conv) {
    if (dims->size() < 3) return std::nullopt;
    layer.rank = dims->size();
    layer.channel_axis = 1;
    const std::int64_t groups = draft.int_of(node, "group", 1);
    layer.channels = size_of(op == "Conv" ? (*dims)[0] : (*dims)[1] * groups);
    if (groups < 1 || (op == "ConvTranspose" && (*dims)[0] % groups != 0)) return std::nullopt;
  } else {
    if (dims->size() != 2) return std::nullopt;
    if (op == "Gemm" &&
        (draft.float_of(node, "alpha", 1) != 1 || draft.float_of(node, "beta", 1) != 1)) {
      return std::nullopt;
    }
    const auto rank = op == "Gemm" ? std::optional<std::size_t>(2) : draft.rank(tensor);
    if (!rank || *rank < 1) return std::nullopt;
    layer.rank = *rank;
    layer.channel_axis = *rank - 1;
    const bool is_transposed = op == "Gemm" && draft.int_of(node, "transB", 0) != 0;
    layer.channels = size_of((*dims)[is_transposed ? 0 : 1]);
  }
  if (layer.channels == 0) return std::nullopt;
  if (bias != kNone) {
    // Of a Gemm it can have any shape that broadcasts.
    const auto shape = draft.constant_dims(bias);
    const bool is_list = shape->size() == 1 && std::cmp_equal((*shape)[0], layer.channels);
    if (!is_list || !draft.is_type(bias, onnx::DataType::kFloat)) return std::nullopt;
  }
  return layer;
}

std::optional<std::vector<double>> per_channel(Draft& draft, const Layer& layer,
                                               TensorId constant) {
  const auto dims = draft.constant_dims(constant);
  if (!dims || dims->size() > layer.rank) return std::nullopt;
  const std::size_t shift = layer.rank - dims->size();
  for (std::size_t i = 0; i < dims->size(); ++i) {
    const bool is_channel = i + shift == layer.channel_axis;
    const bool fits = (*dims)[i] == 1 || (is_channel && std::cmp_equal((*dims)[i], layer.channels));
    if (!fits) return std::nullopt;
  }
  const auto values = draft.floats(constant);
  if (!values || values->empty()) return std::nullopt;
  std::vector<double> all(layer.channels, static_cast<double>(values->front()));
  if (values->size() > 1) std::ranges::copy(*values, all.begin());
  return all;
}

bool fold_affine(Work& work, const Layer& layer, const Affine& affine) {
  Draft& draft = work.draft;
  const bool scales = !std::ranges::all_of(affine.factors, is_one);
  const bool shifts = !std::ranges::all_of(affine.shifts, is_zero);
  const auto is_finite = [](double value) { return std::isfinite(static_cast<float>(value)); };
  if (!std::ranges::all_of(affine.factors, is_finite) ||
      !std::ranges::all_of(affine.shifts, is_finite)) {
    return false;
  }
  if (draft.is_op(layer.node, "MatMul") && shifts) return false;
  const TensorId weight = draft.input(layer.node, 1), bias = draft.input(layer.node, 2);
  std::vector<float> weights, biases(layer.channels, 0.0F);
  if (scales) {
    // A weight that others read would be in the file twice.
    if (draft.tensor(weight).readers.size() != 1 || draft.tensor(weight).is_pinned()) return false;
    const std::int64_t bytes = draft.constant_bytes(weight).value_or(INT64_MAX);
    if (draft.is_external(weight)) {
      if (bytes > work.moved_room_bytes) return false;
      work.moved_room_bytes -= bytes;
    }
    auto read = draft.floats(weight);
    if (!read) return false;
    weights = *std::move(read);
    const Channels channel(draft, layer, *draft.constant_dims(weight));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = static_cast<float>(static_cast<double>(weights[i]) * affine.factors[channel(i)]);
      if (!std::isfinite(weights[i])) return false;
    }
  }
  if (bias != kNone) {
    const auto read = draft.floats(bias);
    if (!read || read->size() != layer.channels) return false;
    biases = *read;
  }
  for (std::size_t i = 0; i < layer.channels; ++i) {
    biases[i] =
        static_cast<float>(static_cast<double>(biases[i]) * affine.factors[i] + affine.shifts[i]);
    if (!std::isfinite(biases[i])) return false;
  }
  const std::string base = draft.tensor(weight).name;
  if (scales) {
    draft.set_input(layer.node, 1,
                    add_floats(draft, base + "_scaled", *draft.constant_dims(weight), weights));
  }
  if (bias != kNone || shifts) {
    draft.set_input(layer.node, 2,
                    add_floats(draft, bias == kNone ? base + "_bias" : draft.tensor(bias).name,
                               {static_cast<std::int64_t>(layer.channels)}, biases));
  }
  return true;
}

}  // namespace planex::clean
