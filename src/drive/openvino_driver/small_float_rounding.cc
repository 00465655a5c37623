#include "drive/openvino_driver/small_float_rounding.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <openvino/op/constant.hpp>
#include <openvino/op/fake_convert.hpp>
#include <openvino/op/op.hpp>
#include <openvino/op/parameter.hpp>
#include <string_view>
#include <vector>

#include "onnx/small_floats.h"

namespace planex::drive {
namespace {

// Our own operation, which OpenVINO runs unchanged. Its type is its input's: by the time it runs,
// the compiler has made that float32.
class SmallFloatRounding : public ov::op::Op {
 public:
  OPENVINO_OP("SmallFloatRounding", "planex")

  SmallFloatRounding() = default;
  SmallFloatRounding(const ov::Output<ov::Node>& input, const ov::element::Type& type)
      : Op({input}), type_(type) {
    constructor_validate_and_infer_types();
  }

  void validate_and_infer_types() override {
    set_output_type(0, get_input_element_type(0), get_input_partial_shape(0));
  }
  std::shared_ptr<ov::Node> clone_with_new_inputs(const ov::OutputVector& inputs) const override {
    return std::make_shared<SmallFloatRounding>(inputs.at(0), type_);
  }
  bool visit_attributes(ov::AttributeVisitor& visitor) override {
    visitor.on_attribute("type", type_);
    return true;
  }
  bool has_evaluate() const override { return true; }
  bool evaluate(ov::TensorVector& outputs, const ov::TensorVector& inputs) const override {
    const ov::Tensor& input = inputs.at(0);
    outputs.at(0).set_shape(input.get_shape());
    if (input.get_element_type() != ov::element::f32) {
      // The value is already rounded.
      input.copy_to(outputs.at(0));
      return true;
    }
    const std::span<const float> from(input.data<const float>(), input.get_size());
    const std::span<float> to(outputs.at(0).data<float>(), from.size());
    if (type_ == ov::element::f16) {
      round_to_half(from, to);
    } else if (type_ == ov::element::bf16) {
      round_to_bfloat16(from, to);
    } else {
      round_to_float8(from, to);
    }
    return true;
  }

 private:
  ov::element::Type type_;  // f16, bf16 or f8e4m3
};

// Operations that only move values, by their OpenVINO names, sorted.
constexpr std::array<std::string_view, 24> kMovers = {
    "Abs",       "Broadcast",    "Concat",  "DepthToSpace", "Gather",       "GatherElements",
    "GatherND",  "MaxPool",      "Maximum", "Minimum",      "Negative",     "ReduceMax",
    "ReduceMin", "Relu",         "Reshape", "Slice",        "SpaceToDepth", "Split",
    "Squeeze",   "StridedSlice", "Tile",    "Transpose",    "Unsqueeze",    "VariadicSplit"};

bool is_small(const ov::element::Type& type) {
  return type == ov::element::f16 || type == ov::element::bf16;
}

// A tensor without a name in the file is a step inside one operation, and is not rounded.
bool only_moves(const ov::Node& node) {
  const std::string_view type = node.get_type_info().name;
  if (!std::ranges::binary_search(kMovers, type)) return false;
  for (const ov::Output<ov::Node>& source : node.input_values()) {
    const bool is_rounded = !source.get_names().empty() || !is_small(source.get_element_type()) ||
                            ov::is_type<ov::op::v0::Constant>(source.get_node());
    if (!is_rounded) return false;
  }
  return true;
}

// A conversion to FP8 that only rounds: ONNX's scale is a division before it.
bool is_float8_rounding(const ov::Node& node) {
  const auto* convert = ov::as_type<const ov::op::v13::FakeConvert>(&node);
  if (convert == nullptr || convert->get_destination_element_type() != ov::element::f8e4m3 ||
      convert->get_input_size() != 2) {
    return false;
  }
  const auto* scale = ov::as_type<ov::op::v0::Constant>(convert->get_input_node_ptr(1));
  if (scale == nullptr) return false;
  const auto factors = scale->cast_vector<float>();
  return std::ranges::all_of(factors, [](float factor) { return factor == 1; });
}

void round_float8(const std::shared_ptr<ov::Node>& node) {
  const ov::Output<ov::Node> made = node->output(0);
  const auto rounding =
      std::make_shared<SmallFloatRounding>(node->input_value(0), ov::element::f8e4m3);
  rounding->output(0).get_tensor().set_names(made.get_names());
  for (ov::Input<ov::Node> reader : made.get_target_inputs()) {
    reader.replace_source_output(rounding->output(0));
  }
}

}  // namespace

void round_to_half(std::span<const float> from, std::span<float> to) {
  constexpr std::uint32_t kSign = 0x8000'0000U, kInfinity = 0x7F80'0000U;
  constexpr std::uint32_t kLostBits = 13, kLost = (1U << kLostBits) - 1;
  // From here on, values are nearer to the number that would follow the greatest half.
  constexpr float kBeyond = 65520;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(from[i]);
    const std::uint32_t size = bits & ~kSign;
    const auto value = std::bit_cast<float>(size);
    // Adding half a unit makes the sum a multiple of the smallest half.
    constexpr float kShift = 0.5F;
    const float subnormal = (value + kShift) - kShift;
    std::uint32_t rounded = (size + (kLost >> 1U) + ((size >> kLostBits) & 1U)) & ~kLost;
    if (value < onnx::kSmallestNormalHalf) rounded = std::bit_cast<std::uint32_t>(subnormal);
    if (value >= kBeyond) rounded = kInfinity;
    if (size > kInfinity) rounded = size;  // NaN
    to[i] = std::bit_cast<float>(rounded | (bits & kSign));
  }
}

void round_to_bfloat16(std::span<const float> from, std::span<float> to) {
  std::ranges::transform(from, to.begin(),
                         [](float value) { return onnx::from_bfloat16(onnx::to_bfloat16(value)); });
}

void round_to_float8(std::span<const float> from, std::span<float> to) {
  std::ranges::transform(from, to.begin(), onnx::round_to_float8);
}

void round_small_floats(ov::Model& model) {
  for (const auto& node : model.get_ordered_ops()) {
    if (is_float8_rounding(*node)) {
      round_float8(node);
      continue;
    }
    // Inputs are already rounded, because their tensors have the small type.
    if (ov::is_type<ov::op::v0::Parameter>(node) || ov::is_type<ov::op::v0::Constant>(node) ||
        only_moves(*node)) {
      continue;
    }
    for (const ov::Output<ov::Node>& port : node->outputs()) {
      if (!is_small(port.get_element_type()) || port.get_names().empty()) continue;
      const auto readers = port.get_target_inputs();
      const auto rounding = std::make_shared<SmallFloatRounding>(port, port.get_element_type());
      const auto names = port.get_names();
      port.get_tensor().set_names({});
      rounding->output(0).get_tensor().set_names(names);
      for (ov::Input<ov::Node> reader : readers) reader.replace_source_output(rounding->output(0));
    }
  }
}

}  // namespace planex::drive
