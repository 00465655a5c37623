#include "quantize/switches.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files.h"
#include "onnx/edit.h"
#include "onnx/read.h"
#include "quantize/test_models.h"

namespace planex::quantize {
namespace {

struct OpenedModel {
  explicit OpenedModel(std::string text)
      : bytes(std::move(text)),
        model(onnx::read_model(bytes).value()),
        links(model),
        values(bytes, model, base::disk(), ".") {}
  OpenedModel(const OpenedModel&) = delete;
  OpenedModel& operator=(const OpenedModel&) = delete;

  ModelView view() { return {model, links, values}; }

  std::string bytes;
  onnx::Model model;
  onnx::Links links;
  onnx::Values values;
};

std::string pair_of(const std::string& tensor) {
  return onnx::node_field("QuantizeLinear", {tensor, "s", "z"}, tensor + ".q", "") +
         onnx::node_field("DequantizeLinear", {tensor + ".q", "s", "z"}, tensor + ".dq", "");
}

std::string int8_initializer(std::string_view name, std::initializer_list<std::uint64_t> dims,
                             const std::string& values) {
  std::string text;
  for (const std::uint64_t dim : dims) text += onnx::varint_field(1, dim);
  text += onnx::varint_field(2, 3) + onnx::bytes_field(8, name) + onnx::bytes_field(9, values);
  return onnx::bytes_field(5, text);
}

// y = x * w + x, the product and the sum with pairs.
std::string quantized_block() {
  return onnx::model_message(
      pair_of("x") + onnx::node_field("DequantizeLinear", {"w", "s", "z"}, "w.dq", "") +
      onnx::node_field("MatMul", {"x.dq", "w.dq"}, "h", "product") + pair_of("h") +
      onnx::node_field("Add", {"h.dq", "x.dq"}, "y", "sum") + initializer("s", {}, {0.5F}) +
      int8_initializer("z", {}, std::string(1, '\0')) +
      int8_initializer("w", {1, 1}, std::string(1, '\3')) + input("x") + output("y"));
}

std::string float_block(std::string_view product) {
  return onnx::model_message(onnx::node_field("MatMul", {"x", "w"}, product, "product") +
                             onnx::node_field("Add", {product, "x"}, "y", "sum") +
                             initializer("w", {1, 1}, {1.4F}) + input("x") + output("y"));
}

class SwitchesTest : public testing::Test {
 protected:
  Result<Switches> add(const std::vector<onnx::Index>& layers, std::string_view product = "h") {
    OpenedModel reference(float_block(product));
    const Existing existing = read_existing(subject.model, subject.links, subject.values).value();
    const auto weights = float_weights(subject.view(), existing, reference.view()).value();
    onnx::Edit edit;
    auto switches = add_switches(subject.view(), existing, weights, layers, edit);
    if (switches) changed = onnx::edited(subject.bytes, subject.model, edit).value();
    return switches;
  }

  OpenedModel subject{quantized_block()};
  std::string changed;
};

TEST_F(SwitchesTest, LayersAndTheRestHaveOne) {
  // Nodes: Q, DQ of x, DQ of w, the product.
  const auto switches = add({3});
  ASSERT_TRUE(switches) << switches.error().message;
  EXPECT_EQ(switches->count, 2U);
  EXPECT_TRUE(switches->has_rest) << "the sum is no layer";
  const onnx::Model model = onnx::read_model(changed).value();
  EXPECT_EQ(
      lines_of(model),
      (std::vector<std::string>{
          "Split(planex_switches)->planex_switch_0,planex_switch_1", "QuantizeLinear(x,s,z)->x.q",
          "DequantizeLinear(x.q,s,z)->x.dq", "DequantizeLinear(w,s,z)->w.dq",
          "MatMul(x,w_float)->h_off", "MatMul(x.dq,w.dq)->h_on", "Sub(h_on,h_off)->h_difference",
          "Mul(h_difference,planex_switch_0)->h_switched", "Add(h_off,h_switched)->h",
          "QuantizeLinear(h,s,z)->h.q", "DequantizeLinear(h.q,s,z)->h.dq",
          "Sub(x.dq,x)->x.dq_rest_difference",
          "Mul(x.dq_rest_difference,planex_switch_1)->x.dq_rest_switched",
          "Add(x,x.dq_rest_switched)->x.dq_rest", "Sub(h.dq,h)->h.dq_rest_difference",
          "Mul(h.dq_rest_difference,planex_switch_1)->h.dq_rest_switched",
          "Add(h,h.dq_rest_switched)->h.dq_rest", "Add(h.dq_rest,x.dq_rest)->y"}));
  ASSERT_EQ(model.graphs.front().values.count, 3U) << "the inputs, and the output";
}

TEST_F(SwitchesTest, WeightsHaveToBeKnown) {
  // The float model makes no tensor "h", so the weight that belongs to it is not found.
  const auto switches = add({3}, "other");
  ASSERT_FALSE(switches);
  EXPECT_EQ(switches.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(switches.error().message.find("weight w"), std::string::npos);
}

}  // namespace
}  // namespace planex::quantize
